import type { Actor } from '../../platform/authz/actor.ts'
import { inSavepoint, rehearse } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError } from '../../platform/kernel/errors.ts'
import type {
  OperationToRun,
  OperationWork,
  PendingRow,
  RowOutcome,
} from '../../platform/operations/operation.types.ts'
import { startOperation } from '../../platform/operations/start-operation.ts'
import { billingErrors } from '../billing.errors.ts'
import { usePackages } from '../packages/package.access.ts'
import { createInvoice } from './create-invoice.ts'
import { type BatchSelection, findFlightsToInvoice, findUsesOfDryRun, totalsOf } from './invoice-batch.queries.ts'
import { planInvoices } from './invoice-flight.ts'

/** The most flights of one batch. */
export const MOST_FLIGHTS = 2_000

/**
 * Starts an operation that invoices the selected flights in the order of their starts, and returns its id. Prepaid bookings are left
 * out.
 * Implements interface §Invoices, POST /invoices/batch.
 */
export async function startInvoiceBatch(
  tx: Tx,
  actor: Actor,
  { selection, dryRun }: { selection: BatchSelection; dryRun: boolean },
): Promise<{ id: number }> {
  const { organizationId } = actor
  const found = await findFlightsToInvoice(tx, organizationId, selection, MOST_FLIGHTS + 1)
  if (found.length > MOST_FLIGHTS) throw billingErrors.batchTooLarge({ limit: MOST_FLIGHTS })
  return startOperation(tx, actor, { kind: 'invoice_batch', atomic: false, input: { dryRun }, subjectIds: found })
}

/** The number of flights of a batch per transaction; their jobs are published together. */
const TOGETHER = 16

/**
 * How a batch is invoiced: several flights per transaction, each in its own savepoint, so that a refused flight does not prevent the
 * others. A dry run does the same work and rolls it back.
 */
export const invoiceBatchWork: OperationWork = {
  groups: async (_db, _operation, rows) =>
    Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) =>
      rows.slice(at * TOGETHER, (at + 1) * TOGETHER),
    ),
  async perform(tx, actor, operation, rows) {
    if (!isDryRun(operation)) return invoiceEach(tx, actor, operation, rows)
    return rehearse(tx, async () => {
      await usePackages(tx, operation, await findUsesOfDryRun(tx, operation))
      return invoiceEach(tx, actor, operation, rows)
    })
  },
  finish: async (tx, operation) => ({ dryRun: isDryRun(operation), ...(await totalsOf(tx, operation)) }),
}

const isDryRun = ({ input }: OperationToRun): boolean => input.dryRun === true

async function invoiceEach(tx: Tx, actor: Actor, operation: OperationToRun, rows: readonly PendingRow[]) {
  const outcomes: RowOutcome[] = []
  for (const row of rows) outcomes.push(await invoiceOrRefuse(tx, actor, operation, row))
  return outcomes
}

/** Invoices one flight. When it is refused, its writes are rolled back and the outcome has the reason. */
async function invoiceOrRefuse(tx: Tx, actor: Actor, operation: OperationToRun, row: PendingRow): Promise<RowOutcome> {
  try {
    return await inSavepoint(tx, async () => ({ keep: true, result: await invoiceRow(tx, actor, operation, row) }))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { number: row.number, ...refusalOf(error) }
  }
}

/**
 * Invoices one flight. The invoices of a dry run have no id; the package quantities that they use are stored in the row, so that later
 * flights count them. A flight that waits for its payers is `unchanged`; the warnings have the reason.
 */
async function invoiceRow(
  tx: Tx,
  actor: Actor,
  operation: OperationToRun,
  { number, subjectId }: PendingRow,
): Promise<RowOutcome> {
  const { planned, warnings, heldUntil } = await planInvoices(tx, actor, subjectId!)
  const invoices: { id: number | null; payer: object; totalCents: number }[] = []
  for (const plan of planned) {
    const { id } = await createInvoice(tx, actor, plan)
    const { orgUserId, guestId, name } = plan.payer
    const payer = { orgUserId, guestId, name }
    invoices.push({ id: isDryRun(operation) ? null : id, payer, totalCents: plan.totalCents })
  }
  const uses = planned.flatMap(({ uses = [] }) => uses.map(({ purchaseId, quantity }) => ({ purchaseId, quantity })))
  const told = warnings.map((message) => problemOf('NOT_BILLED', message))
  const detail = { invoices, ...(isDryRun(operation) && { uses }) }
  return { number, outcome: heldUntil ? 'unchanged' : 'done', problems: [], warnings: told, detail }
}

/** Returns the outcome of a refused flight: `unchanged` when it was invoiced since the batch began, otherwise `refused`. */
function refusalOf({ code, message }: AppError): Omit<RowOutcome, 'number'> {
  if (code === 'ALREADY_INVOICED') return { outcome: 'unchanged', problems: [], warnings: [] }
  return { outcome: 'refused', problems: [problemOf(code ?? 'INVALID', message)], warnings: [] }
}

/** Returns a problem of an operation's row, in the same shape as for bulk changes. */
function problemOf(code: string, message: string) {
  return { rule: 'invoicing', code, message, field: '', overridable: false }
}
