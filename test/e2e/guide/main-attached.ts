import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { OperatorModule } from 'nestjs-operator';
import { AppModule } from './app.module.js';

const app = await NestFactory.create(AppModule);
OperatorModule.attach(app);
await app.listen(3000);
