import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import type { OperationOf } from '../../platform/operations/operation.access.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import type { ImportInput } from './import.types.ts'

/** A refused row: its cells as they were sent, and its problems. */
export interface RefusedRow {
  number: number
  cells: string[]
  problems: RowProblem[]
}

const PAGE_ROWS = 500

/** Returns the header of an import's file, and its refused rows page by page; both empty for a file that could not be read. */
export function findRefusedRows(db: Db, of: OperationOf) {
  return { header: findHeader(db, of), pages: refusedRows(db, of) }
}

async function findHeader(db: Db, { organizationId, operationId }: OperationOf): Promise<readonly string[]> {
  const row = await db
    .selectFrom('operation')
    .select('input')
    .where('organization_id', '=', organizationId)
    .where('id', '=', operationId)
    .executeTakeFirst()
  return (row?.input as ImportInput | undefined)?.read?.header.names ?? []
}

async function* refusedRows(db: Db, { organizationId, operationId }: OperationOf): AsyncGenerator<RefusedRow[]> {
  let after = 0
  for (;;) {
    const rows = await readRows(
      db,
      sql<RefusedRow>`
        select o.number, i.cells, o.problems from operation_row o
        join import_row i on i.organization_id = o.organization_id and i.operation_id = o.operation_id
          and i.number = o.number
        where o.organization_id = ${organizationId} and o.operation_id = ${operationId} and o.outcome = 'refused'
          and o.number > ${after}
        order by o.number limit ${PAGE_ROWS}`,
    )
    if (rows.length > 0) yield rows
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)!.number
  }
}
