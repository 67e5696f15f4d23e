import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { findInvoices, listInvoices } from '../../../shared/billing/invoices/invoice.queries.ts'
import type { InvoiceFilter } from '../../../shared/billing/invoices/invoice-filter.queries.ts'
import { summarizeInvoices } from '../../../shared/billing/invoices/invoice-summary.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findReservation } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { type Answer, ok, page } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { Cents, envelope, IdParams, InstantInput, PathId, QueryFlag, QueryText } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { assertOwnOrAdmin, findReadableInvoice, mayReadInvoice } from './invoice.access.ts'
import { Invoice, invoiceView } from './invoice.view.ts'
import { InvoiceTotals, invoiceTotalsView } from './invoice-totals.view.ts'

const tag = 'Invoices'

const window = {
  startDate: InstantInput.optional().describe('On `createdAt`, inclusive'),
  endDate: InstantInput.optional().describe('On `createdAt`, exclusive'),
}
const states = {
  paid: QueryFlag.optional().describe('`false` alone still includes voided ones'),
  voided: QueryFlag.optional(),
  overdue: QueryFlag.optional().describe('Unpaid, not voided, and due in the past'),
}
const ListInvoicesQuery = ListQuery.extend({ ...window, ...states, q: QueryText.optional() })
const SummaryQuery = z.object({ ...window, q: QueryText.optional(), voided: QueryFlag.optional() })

const Summary = z.object({
  revenueCents: Cents.describe('Paid, less what was given back'),
  outstandingCents: Cents,
  overdueCents: Cents.describe('A part of what is outstanding'),
  creditedCents: Cents.describe('What credit notes take off').meta({ examples: [0] }),
  refundedCents: Cents.describe('What went back, refunds under way included').meta({ examples: [0] }),
  paidCount: z.int(),
  outstandingCount: z.int(),
  overdueCount: z.int(),
  voidedCount: z.int(),
})

export const invoiceRoutes: Routes = (on) => {
  on.get('/invoices', {
    id: 'listInvoices',
    access: admins,
    tag,
    summary: 'Invoices, newest first',
    query: ListInvoicesQuery,
    answers: { 200: envelope(z.array(Invoice)) },
    errors: [platformErrors.datesReversed],
    read: ({ query, actor, services, now }) => answerList(services, actor, now, query, filterOf(query)),
  })

  on.get('/invoices/summary', {
    id: 'summarizeInvoices',
    access: admins,
    tag,
    summary: 'Revenue and what is outstanding',
    query: SummaryQuery,
    answers: { 200: envelope(Summary) },
    errors: [platformErrors.datesReversed],
    read: async ({ query, actor, services, now }) =>
      ok(await summarizeInvoices(services.database, actor.organizationId, filterOf(query), now)),
  })

  on.get('/invoices/orgUsers/:orgUserId', {
    id: 'listInvoicesOfMember',
    access: 'member',
    tag,
    summary: "A member's invoices",
    description: 'One’s own, or for admins anyone’s.',
    params: z.object({ orgUserId: PathId }),
    query: ListQuery.extend({ ...window, ...states }),
    answers: { 200: envelope(z.array(Invoice)) },
    errors: [platformErrors.datesReversed, billingErrors.notYourInvoices, identityErrors.noSuchMember],
    read: async ({ query, params, actor, services, now }) => {
      await assertOwnOrAdmin(services, actor, params.orgUserId)
      return answerList(services, actor, now, query, { ...filterOf(query), orgUserId: params.orgUserId })
    },
  })

  on.get('/invoices/reservation/:reservationId', {
    id: 'readInvoiceOfReservation',
    access: 'member',
    tag,
    summary: 'The invoice of a booking',
    description: 'Your own, or for admins and dispatchers the first live one of the booking.',
    params: z.object({ reservationId: PathId }),
    answers: { 200: envelope(Invoice) },
    errors: [billingErrors.notInvoiced],
    read: async ({ params, actor, services, now }) => {
      const rows = await findInvoices(
        services.database,
        actor.organizationId,
        { reservationId: params.reservationId },
        { now },
      )
      const mine = rows.filter((row) => mayReadInvoice(actor, row))
      const shown = mine.findLast((row) => row.status !== 'void') ?? mine[0]
      if (!shown) throw billingErrors.notInvoiced()
      return ok(invoiceView(shown, now))
    },
  })

  on.get('/invoices/reservation/:reservationId/invoiceTotals', {
    id: 'previewInvoiceTotals',
    access: 'member',
    tag,
    summary: 'What a flight costs and who pays what, without invoicing it',
    description: 'Staff see all of it, others their own share.',
    params: z.object({ reservationId: PathId }),
    answers: { 200: envelope(InvoiceTotals) },
    errors: [billingErrors.nothingToBillYet],
    read: async ({ params, actor, services }) => {
      const row = await findReservation(services.database, actor.organizationId, params.reservationId)
      const totals = row && invoiceTotalsView(row, actor)
      if (!totals) throw billingErrors.nothingToBillYet()
      return ok(totals)
    },
  })

  on.get('/invoices/:id', {
    id: 'readInvoice',
    access: 'member',
    tag,
    summary: 'One invoice with its lines',
    description: 'Your own; for admins and dispatchers anyone’s.',
    params: IdParams,
    answers: { 200: envelope(Invoice) },
    errors: [billingErrors.noSuchInvoice],
    read: async ({ params, actor, services, now }) => {
      const row = await findReadableInvoice(services, actor, params.id, now)
      return ok(invoiceView(row, now))
    },
  })
}

type Asked = { startDate?: Date | undefined; endDate?: Date | undefined } & InvoiceFilter

function filterOf(query: Asked): InvoiceFilter {
  const { startDate: start, endDate: end, q, paid, voided, overdue } = query
  if (start && end && start >= end) throw platformErrors.datesReversed()
  return { start, end, q, paid, voided, overdue }
}

async function answerList(
  { database }: Services,
  { organizationId }: Actor,
  now: Date,
  query: z.output<typeof ListQuery>,
  filter: InvoiceFilter,
): Promise<Answer> {
  const source = listInvoices(database, organizationId, filter, now)
  return page(await listPage(source, query, (row) => invoiceView(row, now)))
}
