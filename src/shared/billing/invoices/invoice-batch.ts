import { sql } from 'kysely'
import { reservationTypes, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { admins } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { AppError } from '../../platform/kernel/errors.ts'
import { sum } from '../../platform/kernel/units.ts'
import type {
  OperationToRun,
  OperationWork,
  PendingRow,
  RowOutcome,
} from '../../platform/operations/operation.types.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { reservationCondition } from '../../scheduling/reservations/reservation-filter.queries.ts'
import { billingErrors } from '../billing.errors.ts'
import { planInvoices } from './invoice-flight.ts'
import { raiseInvoice } from './raise-invoice.ts'

/** The most flights of one batch. */
export const MOST_FLIGHTS = 2_000

/** The flights of a batch: signed off, not invoiced, and ended before an instant. */
export interface BatchSelection {
  endedBefore: Date
  /** Only flights with this member aboard. */
  orgUserId?: number | undefined
  resourceId?: number | undefined
}

const paidTypes = reservationTypes.filter((type) => typeRules[type].pays)

/**
 * Starts the invoicing of flights, in the order of their starts. Prepaid bookings are left out. Returns the id of the
 * operation.
 * Implements interface §Invoices, POST /invoices/batch.
 * @throws Invalid when more than 2,000 flights are selected.
 * @throws TooManyRequests while 50 operations of the organization are queued or running.
 */
export async function startInvoiceBatch(
  tx: Tx,
  actor: Actor,
  { selection, dryRun }: { selection: BatchSelection; dryRun: boolean },
): Promise<{ id: number }> {
  const { organizationId } = actor
  const { endedBefore, orgUserId, resourceId } = selection
  const filter = {
    ...{ endedBefore, uninvoiced: true, statuses: ['signed_off'] as const, types: paidTypes },
    ...(orgUserId !== undefined && { seated: [{ organizationId, orgUserIds: [orgUserId] }] }),
    ...(resourceId !== undefined && { resourceIds: [resourceId] }),
  }
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r
    where r.organization_id = ${organizationId} and r.collection_style <> 'prepaid_fixed'
      and ${reservationCondition(filter, tx.now)}
    order by r.starts_at, r.id limit ${MOST_FLIGHTS + 1}`.execute(tx.db)
  if (rows.length > MOST_FLIGHTS) throw billingErrors.batchTooLarge({ most: MOST_FLIGHTS })
  const subjectIds = rows.map(({ id }) => id)
  return startOperation(tx, actor, { kind: 'invoice_batch', atomic: false, input: { dryRun }, subjectIds })
}

/** How a batch is invoiced: each flight in a transaction of its own, so that a refused one does not hold up the others. */
export const invoiceBatchWork: OperationWork = {
  roles: admins,
  groups: async (_db, _operation, rows) => rows.map((row) => [row]),
  perform: async (tx, actor, operation, rows) => {
    const outcomes: RowOutcome[] = []
    for (const row of rows) outcomes.push(await invoiceRow(tx, actor, operation, row))
    return outcomes
  },
  refusalOf,
  finish: totalsOf,
}

/** Invoices one flight. A dry run writes nothing, and its invoices have no id. */
async function invoiceRow(
  tx: Tx,
  actor: Actor,
  { input }: OperationToRun,
  { number, subjectId }: PendingRow,
): Promise<RowOutcome> {
  const { planned, warnings } = await planInvoices(tx, actor, subjectId!)
  const invoices: { id: number | null; payer: object; totalCents: number }[] = []
  for (const plan of planned) {
    const raised = input.dryRun === true ? null : await raiseInvoice(tx, actor, plan)
    const { orgUserId, guestId, name } = plan.payer
    const totalCents = sum(plan.lines.map(({ amountCents }) => amountCents))
    invoices.push({ id: raised?.id ?? null, payer: { orgUserId, guestId, name }, totalCents })
  }
  const told = warnings.map((message) => problemOf('NOT_BILLED', message))
  return { number, outcome: 'done', problems: [], warnings: told, detail: { invoices } }
}

/** A flight that was invoiced since the batch began stays as it is. */
function refusalOf({ code, message }: AppError): Omit<RowOutcome, 'number'> {
  if (code === 'ALREADY_EXISTS') return { outcome: 'unchanged', problems: [], warnings: [] }
  return { outcome: 'refused', problems: [problemOf(code ?? 'INVALID', message)], warnings: [] }
}

/** A problem of an operation's row, as bulks have them. */
function problemOf(code: string, message: string) {
  return { rule: 'invoicing', code, message, field: '', overridable: false }
}

/** Returns the number of invoices that the batch raised, or would raise, and their total in cents. */
async function totalsOf(tx: Tx, { id, organizationId, input }: OperationToRun): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ invoices: number; totalCents: number }>`
    select count(*)::int as invoices, coalesce(sum((i.invoice ->> 'totalCents')::bigint), 0)::float8 as "totalCents"
    from operation_row r cross join jsonb_array_elements(r.detail -> 'invoices') as i (invoice)
    where r.organization_id = ${organizationId} and r.operation_id = ${id}`.execute(tx.db)
  return { dryRun: input.dryRun === true, ...rows[0] }
}
