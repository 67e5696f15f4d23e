import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { reverseLedgerEntry } from '../../../shared/billing/invoices/void-invoice.ts'
import { findEntry, listEntries } from '../../../shared/billing/ledger/ledger.queries.ts'
import { postAndPay } from '../../../shared/billing/payments/post-and-pay.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { inCents } from '../../../shared/platform/kernel/units.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { created, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams, MAX_CENTS, note, text } from '../../http/schemas.ts'
import { assertReadsAccount } from './account.access.ts'
import { LedgerEntry, ledgerEntryView } from './ledger.view.ts'

const tag = 'Ledger'

const PostingBody = z.object({
  kind: z.enum(['deposit', 'adjustment']),
  amountCents: inCents(z.int().min(-MAX_CENTS).max(MAX_CENTS)).describe('Signed, not 0; a deposit is positive'),
  memo: text(500).trim().nullish(),
})

const ReverseBody = z.object({ reason: note(500) })

export const ledgerRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/ledger', {
    id: 'listLedgerEntries',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'List the ledger entries of a member',
    description:
      'Lists the entries of a member’s ledger, latest first. Members see their own entries; admins and ' +
      'cashiers see those of all members, including former ones. A cashier’s reading is recorded in the audit log, ' +
      'once a day for each member.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(LedgerEntry)) },
    errors: [
      [platformErrors.notAllowed, 'the caller is neither the member nor an admin'],
      billingErrors.notYourAccount,
      identityErrors.noSuchMember,
    ],
    read: async ({ params, query, ...call }) => {
      const { db, actor } = call
      await assertReadsAccount(call, params.id)
      return page(await listPage(listEntries(db, actor.organizationId, params.id), query, ledgerEntryView))
    },
  })

  on.post('/orgUsers/:id/ledger', {
    id: 'postLedgerEntry',
    access: admins,
    grant: 'cashier',
    tag,
    summary: 'Post a deposit or an adjustment',
    description:
      'Adds an entry to a member’s ledger. Entries cannot be changed: correct one with another entry. While ' +
      '`settings.payFromLedger` is `auto`, the ledger then pays the member’s open invoices, the oldest first. A ' +
      'cashier posts only deposits that others make, within `settings.cashierMaxCents`. The payer is mailed a receipt.',
    params: IdParams,
    body: PostingBody,
    answers: { 201: envelope(LedgerEntry) },
    errors: [
      billingErrors.amountZero,
      billingErrors.depositNegative,
      billingErrors.cashierDeposits,
      billingErrors.ownMoney,
      billingErrors.aboveCashierLimit,
      billingErrors.balanceOutOfBounds,
      identityErrors.noSuchMember,
    ],
    write: (tx, { actor, params, body }) => postAndPay(tx, actor, params.id, { ...body, memo: body.memo ?? null }),
    answer: async ({ entryId }, { db, actor }) =>
      created(ledgerEntryView(await findEntry(db, actor.organizationId, entryId))),
  })

  on.post('/ledger/:id/reverse', {
    id: 'reverseLedgerEntry',
    access: admins,
    tag,
    summary: 'Reverse a ledger entry',
    description:
      'Adds an entry with the opposite amount. Reversing a charge voids the invoice that it paid, so that the flight ' +
      'can be invoiced again. An entry that pays an invoice cannot be reversed here: reverse the payment.',
    params: IdParams,
    body: ReverseBody,
    answers: { 201: envelope(LedgerEntry) },
    errors: [
      billingErrors.balanceOutOfBounds,
      billingErrors.noSuchEntry,
      platformErrors.entryReversed,
      billingErrors.isReversal,
      billingErrors.hasCredits,
      billingErrors.packageUsed,
      billingErrors.entryPays,
    ],
    write: (tx, { actor, params, body }) => reverseLedgerEntry(tx, actor, params.id, body.reason),
    answer: async ({ entryId }, { db, actor }) =>
      created(ledgerEntryView(await findEntry(db, actor.organizationId, entryId))),
  })
}
