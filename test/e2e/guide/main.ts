import 'reflect-metadata';
import { runOperator } from 'nestjs-operator';
import { AppModule } from './app.module.js';

await runOperator(AppModule);
