import { z } from 'zod'
import type { OperationRecord } from '../../../shared/platform/operations/operation.queries.ts'
import { operationKinds } from '../../../shared/platform/operations/operation-kinds.rules.ts'
import { operationStatuses } from '../../../shared/platform/platform.tables.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'

/** An operation: work that runs in the background. */
export const Operation = z
  .object({
    id: Id,
    kind: z.enum(operationKinds),
    status: z.enum(operationStatuses),
    startedBy: Person,
    progress: z.object({ done: z.int(), total: z.int() }),
    succeeded: z.int(),
    failed: z.int(),
    warnings: z.int().describe('How many rows have warnings'),
    result: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The result; for a failed operation `error`, with `code` and `message`. null until the operation ends'),
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Operation' })

/** Returns an operation with the names of the interface. */
export function operationView(row: OperationRecord): z.input<typeof Operation> {
  const { startedBy, startedByName, done, total, startedAt, endedAt, createdAt, updatedAt, ...rest } = row
  return {
    id: rest.id,
    kind: rest.kind,
    status: rest.status,
    startedBy: personView(startedBy, startedByName),
    progress: { done, total },
    succeeded: rest.succeeded,
    failed: rest.failed,
    warnings: rest.warnings,
    result: rest.result,
    startedAt: iso(startedAt),
    endedAt: iso(endedAt),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}
