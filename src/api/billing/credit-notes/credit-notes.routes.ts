import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { givenBackBy, refundWays } from '../../../shared/billing/credit-notes/credit.rules.ts'
import { findCredit, listCredits } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import { issueCredit } from '../../../shared/billing/credit-notes/issue-credit.ts'
import { refundCredit } from '../../../shared/billing/credit-notes/refund-credit.ts'
import { mayReadInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { findInvoice } from '../../../shared/billing/invoices/invoice.queries.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { fieldErrors } from '../../../shared/platform/field.errors.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, Id, IdParams, MAX_CENTS, note } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { findReadableInvoice } from '../invoices/invoice.access.ts'
import { renderSheet } from '../invoices/pdf/render-sheet.ts'
import { CreditNote, creditNoteView } from './credit-note.view.ts'
import { creditSheet } from './credit-sheet.ts'

const tag = 'Invoices'
const Amount = inCents(z.int().min(1).max(MAX_CENTS))

const CreditBody = z
  .object({
    items: z
      .array(
        z.object({
          itemId: Id,
          amountCents: Amount.describe(
            'The amount to credit on the line, including tax. Exception: if the first credit of a line equals the ' +
              'line’s `amountCents`, which excludes tax, the whole line is credited and its tax too',
          ),
        }),
      )
      .min(1)
      .max(100)
      .optional()
      .describe('The amounts to credit by line; give exactly one of `items` and `amountCents`'),
    amountCents: Amount.optional().describe('The amount to credit on the invoice as a whole, with taxes'),
    reason: note(500),
    refund: z
      .enum(refundWays)
      .describe(
        'How to refund the payments above the new amount due, in the way in which they were made: `processor`: through the ' +
          'payment processor; `ledger`: to the member’s ledger; `offline`: by hand. `none` leaves them as the payer’s ' +
          'credit (`creditCents` of the invoice) until they are refunded',
      ),
  })
  .superRefine(({ items, amountCents }, context) => {
    if ((items === undefined) !== (amountCents === undefined)) return
    const message = fieldErrors.givesOneOf({ choices: 'items and amountCents' })
    context.addIssue({ code: 'custom', path: ['amountCents'], message })
  })

const CreditRefundBody = z.object({
  refund: z
    .enum(givenBackBy)
    .describe(
      'The way in which it was paid. A payment that did not come through the payment processor can also go to the ' +
        'member’s ledger',
    ),
  reason: note(500).optional(),
})

/** The endpoints of credit notes. Implements interface §Invoices. */
export const creditNoteRoutes: Routes = (on) => {
  on.post('/invoices/:id/creditNotes', {
    id: 'createCreditNote',
    access: admins,
    tag,
    rateLimit: { organization: 'creditsOrganizationDay' },
    summary: 'Credit an invoice',
    description:
      'Creates a credit note. First it lowers the amount due: an unpaid invoice is issued again at the payment ' +
      'processor for the rest, with a new pay link, and is void when it is credited in full. The flight of an ' +
      'invoice credited in full, paid or not, can be reopened and invoiced again. When the payments then exceed ' +
      'the amount due, the difference is refunded as `refund` says. The refund waits for a second admin if the ' +
      'caller’s refunds without a second admin, this one included, exceed `settings.refundApprovalCents` for this ' +
      'invoice, or for its payer today.',
    params: IdParams,
    body: CreditBody,
    answers: { 201: envelope(CreditNote) },
    errors: [
      billingErrors.noSuchInvoice,
      billingErrors.notCreditable,
      billingErrors.refundUnderWay,
      billingErrors.creditExceeds,
      billingErrors.packageCreditExceeds,
      billingErrors.nothingToRefund,
      billingErrors.paidAnotherWay,
      billingErrors.remainderTooSmall,
      billingErrors.balanceOutOfBounds,
    ],
    write: (tx, { actor, params, body }) => issueCredit(tx, actor, params.id, body),
    answer: async ({ id }, { services, actor }) => created(await viewCredit(services, actor, id)),
  })

  on.post('/creditNotes/:id/refund', {
    id: 'refundCreditNote',
    access: admins,
    tag,
    rateLimit: { organization: 'creditsOrganizationDay' },
    summary: 'Refund a credit note',
    description:
      'Refunds a credit note of which nothing is refunded yet: it was created with `refund: none`, a second admin ' +
      'declined its refund, or the payment processor refused it. Refunds the part of the payments that now exceeds ' +
      'the amount due, at most the amount of the credit note. A second admin must approve it by the rule of `POST ' +
      '/invoices/{id}/creditNotes`. The credit note then shows this refund.',
    params: IdParams,
    body: CreditRefundBody,
    answers: { 200: envelope(CreditNote) },
    errors: [
      billingErrors.noSuchCredit,
      billingErrors.refundUnderWay,
      billingErrors.creditRefunded,
      billingErrors.nothingToRefund,
      billingErrors.paidAnotherWay,
      billingErrors.balanceOutOfBounds,
    ],
    write: (tx, { actor, params, body }) => refundCredit(tx, actor, params.id, body),
    answer: async ({ id }, { services, actor }) => ok(await viewCredit(services, actor, id)),
  })

  on.get('/invoices/:id/creditNotes', {
    id: 'listCreditNotes',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'List the credit notes of an invoice',
    description: 'Lists the credit notes of an invoice, oldest first. Allowed for everyone who may read the invoice.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(CreditNote)) },
    errors: [billingErrors.noSuchInvoice],
    read: async ({ params, query, actor, services, db, now, asAdmin }) => {
      await findReadableInvoice({ services, actor, asAdmin }, params.id, now)
      const { PUBLIC_URL } = services.config
      const source = listCredits(db, actor.organizationId, params.id)
      return page(await listPage(source, query, (row) => creditNoteView(row, PUBLIC_URL)))
    },
  })

  on.get('/creditNotes/:id', {
    id: 'readCreditNote',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'Read a credit note',
    description: 'Returns a credit note. Allowed for everyone who may read its invoice.',
    params: IdParams,
    answers: { 200: envelope(CreditNote) },
    formats: ['json', 'pdf'],
    errors: [billingErrors.noSuchCredit, platformErrors.pdfsUnderWay],
    read: async ({ params, now, ...call }) => {
      const { actor, services, db } = call
      const credit = await findCredit(db, actor.organizationId, params.id)
      if (!credit) throw billingErrors.noSuchCredit()
      const invoice = await findInvoice(services.database, actor.organizationId, credit.invoice_id, now)
      if (!invoice) throw billingErrors.noSuchCredit()
      if (!mayReadInvoice(actor, invoice)) await call.asAdmin(billingErrors.noSuchCredit)
      if (call.format !== 'pdf') return ok(creditNoteView(credit, services.config.PUBLIC_URL))
      const { name, details, time_zone_name: zone } = await findOrganization(db, actor.organizationId)
      const paper = await makeLimited(call, () =>
        renderSheet(creditSheet(credit, invoice, { name, details, zone }), credit.created_at),
      )
      return fileAnswer(paper, 'pdf', { name: `credit-note-${credit.number}`, shown: true })
    },
  })
}

async function viewCredit({ database, config }: Services, { organizationId }: Actor, id: number) {
  const row = await findCredit(database.db, organizationId, id)
  if (!row) throw billingErrors.noSuchCredit()
  return creditNoteView(row, config.PUBLIC_URL)
}
