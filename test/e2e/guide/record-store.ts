import { Module } from '@nestjs/common';
import { OperatorModule, type RecordOwner, type RecordStore } from 'nestjs-operator';

/** What an application's own database client offers. */
export abstract class Table {
  abstract read(key: string, signal: AbortSignal): Promise<string | undefined>;
  abstract write(key: string, text: string, signal: AbortSignal): Promise<void>;
  abstract delete(key: string, signal: AbortSignal): Promise<void>;
}

/** Keeps records by what identifies an object for good: operator, resource and uid. */
export class TableStore implements RecordStore {
  constructor(private readonly table: Table) {}

  load(owner: RecordOwner, signal: AbortSignal): Promise<string | undefined> {
    return this.table.read(keyOf(owner), signal);
  }

  save(owner: RecordOwner, record: string, signal: AbortSignal): Promise<void> {
    return this.table.write(keyOf(owner), record, signal);
  }

  remove(owner: RecordOwner, signal: AbortSignal): Promise<void> {
    return this.table.delete(keyOf(owner), signal);
  }
}

function keyOf({ operator, group, plural, uid }: RecordOwner): string {
  return `${operator} ${plural}.${group} ${uid}`;
}

/** Brings in the table, provided elsewhere. */
@Module({
  imports: [
    OperatorModule.forRootAsync({
      inject: [Table],
      useFactory: (table: Table) => ({
        name: 'sites.example.com',
        persistence: { store: 'table', stores: { table: new TableStore(table) } },
      }),
    }),
  ],
})
export class StoredModule {}
