import 'reflect-metadata';
import { runOperator } from 'nestjs-operator';
import { DeployedModule } from './deploy/deployed.module.js';

// The image's program. A failed operator has told its story, and has set the exit code.
try {
  const operator = await runOperator(DeployedModule.with());
  await operator.done;
} catch (error) {
  if (process.exitCode === undefined) throw error;
}
