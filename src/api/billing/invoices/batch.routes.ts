import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { startInvoiceBatch } from '../../../shared/billing/invoices/invoice-batch.ts'
import { actsAsCashier } from '../../../shared/billing/ledger/cashier.access.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { findOperation } from '../../../shared/platform/operations/operation.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { accepted } from '../../http/answers.ts'
import { FilterIds, FilterMembers } from '../../http/body-filters.ts'
import type { Routes } from '../../http/endpoint.ts'
import { envelope, membersOf } from '../../http/schemas.ts'
import { instantOf, WindowLimit } from '../../http/windows.ts'
import { Operation, operationView } from '../../platform/operations/operation.view.ts'

const BatchBody = z.object({
  filter: z
    .object({
      endedBefore: WindowLimit.describe(
        'Only flights that ended before this day of the organization’s time zone, or before this instant',
      ),
      endedAfter: WindowLimit.optional().describe(
        'Only flights that ended on or after this day, or at or after this instant. A cashier gives it, at most 24 ' +
          'hours before `endedBefore`',
      ),
      orgUserId: FilterMembers.optional().describe('Only flights with one of these members aboard'),
      resourceId: FilterIds.optional().describe('Only flights of these resources'),
    })
    .describe('At most 2,000 flights. For a cashier without the flights that the cashier is on'),
  dryRun: z.boolean().default(false).describe('Reports what would be invoiced, to the cent, and writes nothing'),
})

/** The endpoint that invoices many flights at once. Implements interface §Invoices. */
export const invoiceBatchRoutes: Routes = (on) => {
  on.post('/invoices/batch', {
    id: 'createInvoiceBatch',
    access: admins,
    grant: 'cashier',
    verified: true,
    tag: 'Invoices',
    rateLimit: { organization: 'invoiceBatches' },
    summary: 'Invoice many signed-off flights',
    description:
      'Starts an operation that invoices the flights that `filter` selects if they are signed off, not invoiced ' +
      'and not prepaid, in the order of their starts, as `POST /reservations/{id}/invoices` does. The row of a ' +
      'flight says `done` with its `invoices`, `refused` with the reason, or `unchanged` when it was invoiced in ' +
      'the meantime or waits for a payer who may object. A package covers the flights one after another until it ' +
      'is used up. `result` has the number of `invoices` and their `totalCents`. The payment processor gets the ' +
      'invoices afterwards. Batches of an organization run one after another. Limit: 10 per hour.',
    body: BatchBody,
    answers: { 202: envelope(Operation) },
    errors: [
      billingErrors.batchTooLarge,
      billingErrors.cashierSpan,
      billingErrors.spanReversed,
      platformErrors.tooManyOperations,
    ],
    write: (tx, { actor, body: { filter, dryRun } }) => {
      const selection = {
        ...spanOf(filter, actor),
        orgUserIds: membersOf(filter.orgUserId, actor),
        resourceIds: filter.resourceId,
      }
      return startInvoiceBatch(tx, actor, { selection, dryRun })
    },
    answer: async ({ id }, { db, actor }) =>
      accepted(operationView((await findOperation(db, { actor, kinds: ['invoice_batch'] }, id))!)),
  })
}

const DAY_MS = 86_400_000
/** The most milliseconds by which a change of the clocks lengthens a local day. */
const CLOCK_CHANGE_MS = 3 * 3_600_000

/** Returns the span of a batch as instants. */
function spanOf(filter: z.output<typeof BatchBody>['filter'], actor: Actor): { endedBefore: Date; endedAfter?: Date } {
  const endedBefore = instantOf(filter.endedBefore, actor)
  const endedAfter = instantOf(filter.endedAfter, actor)
  if (endedAfter && endedAfter >= endedBefore) throw billingErrors.spanReversed()
  const isOfDays = typeof filter.endedBefore === 'string' && typeof filter.endedAfter === 'string'
  const mostMs = DAY_MS + (isOfDays ? CLOCK_CHANGE_MS : 0)
  if (actsAsCashier(actor) && !(endedAfter && endedBefore.getTime() - endedAfter.getTime() <= mostMs)) {
    throw billingErrors.cashierSpan()
  }
  return { endedBefore, ...(endedAfter && { endedAfter }) }
}
