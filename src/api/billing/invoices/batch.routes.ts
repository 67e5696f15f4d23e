import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { startInvoiceBatch } from '../../../shared/billing/invoices/invoice-batch.ts'
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
  filter: z.object({
    endedBefore: WindowLimit.describe(
      'Only flights that ended before this day of the organization’s time zone, or before this instant',
    ),
    orgUserId: FilterMembers.optional().describe('Only flights with one of these members aboard'),
    resourceId: FilterIds.optional().describe('Only flights of these resources'),
  }),
  dryRun: z.boolean().default(false).describe('Reports what would be invoiced, to the cent, and writes nothing'),
})

/** The endpoint that invoices many flights at once. Implements interface §Invoices. */
export const invoiceBatchRoutes: Routes = (on) => {
  on.post('/invoices/batch', {
    id: 'createInvoiceBatch',
    access: admins,
    verified: true,
    tag: 'Invoices',
    rateLimit: { organization: 'invoiceBatches' },
    summary: 'Invoice many signed-off flights',
    description:
      'Starts an operation that invoices the flights that `filter` selects if they are signed off, not invoiced ' +
      'and not prepaid, in the order of their starts. A filter that selects more than 2,000 flights is refused. ' +
      'Each flight is invoiced separately, as by `POST /reservations/{id}/invoices`. The row of a flight says ' +
      '`done` with its `invoices`, `refused` with the reason, or `unchanged` when it was invoiced in the meantime ' +
      'or waits for a payer who may object. A package covers the flights one after another until it is used up. ' +
      '`result` has the number of `invoices` and their `totalCents`. The payment processor gets the invoices ' +
      'afterwards. Batches of an organization run one after another. Limit: 10 per hour.',
    body: BatchBody,
    answers: { 202: envelope(Operation) },
    errors: [billingErrors.batchTooLarge, platformErrors.tooManyOperations],
    write: (tx, { actor, body: { filter, dryRun } }) => {
      const selection = {
        endedBefore: instantOf(filter.endedBefore, actor),
        orgUserIds: membersOf(filter.orgUserId, actor),
        resourceIds: filter.resourceId,
      }
      return startInvoiceBatch(tx, actor, { selection, dryRun })
    },
    answer: async ({ id }, { db, actor }) =>
      accepted(operationView((await findOperation(db, { actor, kinds: ['invoice_batch'] }, id))!)),
  })
}
