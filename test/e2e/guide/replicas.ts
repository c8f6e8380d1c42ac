import { Module } from '@nestjs/common';
import { OperatorModule } from 'nestjs-operator';
import { PageService } from './page.service.js';
import { SiteHandlers } from './site.handlers.js';

@Module({
  imports: [
    OperatorModule.forRoot({
      name: 'sites.example.com',
      leaderElection: { enabled: true, namespace: 'site-operator', onLost: 'standby' },
    }),
  ],
  providers: [SiteHandlers, PageService],
})
export class ReplicatedModule {}
