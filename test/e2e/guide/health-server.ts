import { Module } from '@nestjs/common';
import { OnProbe, OperatorModule } from 'nestjs-operator';
import { SiteHandlers } from './site.handlers.js';
import { PageService } from './page.service.js';

export class Backlog {
  private readonly pages: string[] = [];

  @OnProbe({ fails: 'none' })
  backlog(): object {
    return { waiting: this.pages.length };
  }

  @OnProbe({ fails: 'readiness', maxAge: '5s' })
  checkSpace(): void {
    if (this.pages.length > 10_000) throw new Error('Too many pages wait to be published.');
  }
}

@Module({
  imports: [OperatorModule.forRoot({ name: 'sites.example.com', health: { port: 8081 } })],
  providers: [SiteHandlers, PageService, Backlog],
})
export class ServedModule {}
