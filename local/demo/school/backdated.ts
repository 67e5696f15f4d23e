import type { EventArgs } from '@mikro-orm/core'
import {
  ColumnNode,
  InsertQueryNode,
  type KyselyPlugin,
  PrimitiveValueListNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import type { Db } from '../../../src/shared/platform/db/database.ts'
import type { Tx } from '../../../src/shared/platform/db/transaction.ts'

/**
 * Returns helpers for use cases that run in the past: new rows get the time of the use case as `created_at`, not the
 * present time of the database. `db(now)` returns a query builder with a plugin for its inserts; a subscriber sets the
 * time of the ORM's entities until `end()`.
 */
export function backdated({ em, db }: Tx): { db(now: Date): Db; end(): void } {
  let current: Date | null = null
  const dated = new Set(
    [...em.getMetadata().getAll().values()]
      .filter(({ properties }) => 'createdAt' in properties)
      .map(({ tableName }) => tableName),
  )
  em.getEventManager().registerSubscriber({
    beforeCreate({ entity }: EventArgs<{ createdAt?: Date }>) {
      if (current) entity.createdAt ??= current
    },
  })
  return {
    db(now) {
      current = now
      return db.withPlugin(datedInserts(dated, now))
    },
    end() {
      current = null
    },
  }
}

const COLUMN = 'created_at'

/** Adds `created_at` to inserts into these tables that do not set it. */
function datedInserts(tables: ReadonlySet<string>, now: Date): KyselyPlugin {
  return {
    transformQuery({ node }) {
      if (!InsertQueryNode.is(node) || !node.into || !node.columns || !node.values) return node
      const sets = node.columns.some(({ column }) => column.name === COLUMN)
      if (sets || !tables.has(node.into.table.identifier.name) || !ValuesNode.is(node.values)) return node
      const values = node.values.values.map((row) =>
        PrimitiveValueListNode.is(row)
          ? PrimitiveValueListNode.create([...row.values, now])
          : ValueListNode.create([...row.values, ValueNode.create(now)]),
      )
      return { ...node, columns: [...node.columns, ColumnNode.create(COLUMN)], values: ValuesNode.create(values) }
    },
    transformResult: async ({ result }) => result,
  }
}
