import { Injectable, Module } from '@nestjs/common';
import { OperatorModule } from 'nestjs-operator';

@Injectable()
class Settings {
  readonly namespaces = (process.env['WATCHED_NAMESPACES'] ?? 'default').split(',');
}

@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

@Module({
  imports: [
    OperatorModule.forRootAsync({
      imports: [SettingsModule],
      inject: [Settings],
      useFactory: (settings: Settings) => ({ name: 'sites.example.com', namespaces: settings.namespaces }),
      global: true,
    }),
  ],
})
export class ConfiguredModule {}
