import { Controller, Delete, Get, Inject, Injectable, Module, Param, Post, type DynamicModule } from '@nestjs/common';
import {
  HandlerContext,
  KubeClient,
  OnCreate,
  OnDelete,
  OperatorModule,
  ResourceHandlers,
  type KubeConfigSource,
} from 'nestjs-operator';
import { Widget } from '../../support/widget.js';

/** Where the application and its operator work. */
@Injectable()
export class Home {
  constructor(readonly namespace: string) {}
}

@ResourceHandlers(Widget)
export class WidgetHandlers {
  readonly calls: string[] = [];

  @OnCreate()
  create({ meta }: HandlerContext<Widget>): void {
    this.calls.push(`create ${meta.name}`);
  }

  @OnDelete()
  remove({ meta }: HandlerContext<Widget>): void {
    this.calls.push(`delete ${meta.name}`);
  }
}

/** The application's own work, beside the operator and through its client. */
@Controller('widgets')
export class WidgetController {
  constructor(
    private readonly handlers: WidgetHandlers,
    private readonly client: KubeClient,
    @Inject(Home) private readonly home: Home,
  ) {}

  @Get()
  calls(): readonly string[] {
    return this.handlers.calls;
  }

  @Post(':name')
  async create(@Param('name') name: string): Promise<void> {
    await this.client.create(Widget, { metadata: { name, namespace: this.home.namespace }, spec: {} });
  }

  @Delete(':name')
  async remove(@Param('name') name: string): Promise<void> {
    await this.client.delete(Widget, { name, namespace: this.home.namespace });
  }
}

/** An application that has an operator in it, and outlives it: `crash: 'reject'` leaves the process alone. */
@Module({})
export class HostModule {
  static of(name: string, namespace: string, kubeConfig: KubeConfigSource): DynamicModule {
    return {
      module: HostModule,
      imports: [
        OperatorModule.forRoot({ name, namespaces: [namespace], kubeConfig, crash: 'reject', autoStart: false }),
      ],
      controllers: [WidgetController],
      providers: [WidgetHandlers, { provide: Home, useValue: new Home(namespace) }],
    };
  }
}
