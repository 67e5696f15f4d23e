import type { Actor } from '../../platform/authz/actor.ts'
import { inSavepoint } from '../../platform/db/savepoint.ts'
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
 * Starts the invoicing of flights, in the order of their starts. Prepaid bookings are left out. Returns the id of the
 * operation.
 * Implements interface §Invoices, POST /invoices/batch.
 */
export async function startInvoiceBatch(
  tx: Tx,
  actor: Actor,
  { selection, dryRun }: { selection: BatchSelection; dryRun: boolean },
): Promise<{ id: number }> {
  const { organizationId } = actor
  const found = await findFlightsToInvoice(tx, organizationId, selection, MOST_FLIGHTS + 1)
  if (found.length > MOST_FLIGHTS) throw billingErrors.batchTooLarge({ most: MOST_FLIGHTS })
  return startOperation(tx, actor, { kind: 'invoice_batch', atomic: false, input: { dryRun }, subjectIds: found })
}

/** How many flights of a batch share a transaction, and the hand-over of their jobs. */
const TOGETHER = 16

/**
 * How a batch is invoiced: some flights in one transaction, each at a savepoint of its own, so that a refused one does not
 * hold up the others. A dry run does the same and undoes it.
 */
export const invoiceBatchWork: OperationWork = {
  groups: async (_db, _operation, rows) =>
    Array.from({ length: Math.ceil(rows.length / TOGETHER) }, (_, at) =>
      rows.slice(at * TOGETHER, (at + 1) * TOGETHER),
    ),
  async perform(tx, actor, operation, rows) {
    if (!isDryRun(operation)) return invoiceEach(tx, actor, operation, rows)
    return inSavepoint(tx, async () => {
      await usePackages(tx, operation, await findUsesOfDryRun(tx, operation))
      return { keep: false, result: await invoiceEach(tx, actor, operation, rows) }
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

/** Invoices one flight; what a refused one wrote is undone. */
async function invoiceOrRefuse(tx: Tx, actor: Actor, operation: OperationToRun, row: PendingRow): Promise<RowOutcome> {
  try {
    return await inSavepoint(tx, async () => ({ keep: true, result: await invoiceRow(tx, actor, operation, row) }))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { number: row.number, ...refusalOf(error) }
  }
}

/**
 * Invoices one flight. The invoices of a dry run have no id; what they use of packages is kept in its row, for the flights that
 * come after it. A flight whose payers are held up stays as it is, with the reason.
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

/** A flight that was invoiced since the batch began stays as it is. */
function refusalOf({ code, message }: AppError): Omit<RowOutcome, 'number'> {
  if (code === 'ALREADY_EXISTS') return { outcome: 'unchanged', problems: [], warnings: [] }
  return { outcome: 'refused', problems: [problemOf(code ?? 'INVALID', message)], warnings: [] }
}

/** A problem of an operation's row, as bulks have them. */
function problemOf(code: string, message: string) {
  return { rule: 'invoicing', code, message, field: '', overridable: false }
}
