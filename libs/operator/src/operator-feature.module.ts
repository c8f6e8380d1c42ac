import { Module } from '@nestjs/common';

/** What `OperatorModule.forFeature` is of: it holds what one feature module asks for. */
@Module({})
export class OperatorFeatureModule {}
