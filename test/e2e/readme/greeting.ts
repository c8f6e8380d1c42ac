import { CustomResource, HandlerContext, KubeObject, OnCreate, OnUpdate, ResourceHandlers } from 'nestjs-operator';

@CustomResource({ group: 'demo.example', version: 'v1', kind: 'Greeting', plural: 'greetings', scope: 'Namespaced' })
export class Greeting extends KubeObject<{ name: string }, { text: string }> {}

@ResourceHandlers(Greeting)
export class GreetingHandlers {
  @OnCreate()
  @OnUpdate({ field: 'spec.name' })
  greet(ctx: HandlerContext<Greeting>) {
    return { text: `Hello ${ctx.spec.name}` }; // merged into the object's status
  }
}
