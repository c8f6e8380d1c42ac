import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { OperatorModule, runOperator } from 'nestjs-operator';
import { GreetingHandlers } from './greeting.js';

@Module({
  imports: [OperatorModule.forRoot({ name: 'greetings.example.com' })],
  providers: [GreetingHandlers],
})
class AppModule {}

await runOperator(AppModule);
