import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { mayReadInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { findInvoices, type InvoiceRow, listInvoices } from '../../../shared/billing/invoices/invoice.queries.ts'
import type { InvoiceFilter } from '../../../shared/billing/invoices/invoice-filter.queries.ts'
import { summarizeInvoices } from '../../../shared/billing/invoices/invoice-summary.queries.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { WindowInput } from '../../../shared/platform/kernel/windows.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { findFlight } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { type Answer, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { Cents, envelope, IdParams, PathId, QueryFlag, QueryText } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { openWindow, windowOf } from '../../http/windows.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { InvoiceTotals, invoiceTotalsView } from '../../scheduling/reservations/invoice-totals.view.ts'
import { assertOwnOrAdmin, findReadableInvoice } from './invoice.access.ts'
import { Invoice, invoiceView } from './invoice.view.ts'
import { invoiceSheet } from './pdf/invoice-sheet.ts'
import { renderSheet } from './pdf/render-sheet.ts'

const tag = 'Invoices'

const states = {
  paid: QueryFlag.optional().describe(
    '`true`: only paid invoices. `false`: only unpaid ones; they include void ones unless `voided=false`',
  ),
  voided: QueryFlag.optional().describe('`true`: only void invoices. `false`: only others'),
  overdue: QueryFlag.optional().describe(
    '`true`: only unpaid invoices whose due date has passed. `false`: only others',
  ),
}
const q = QueryText.optional()
  .describe('Searches the memo, the lines, the number, and the payer’s name and email address')
  .meta({ id: 'InvoiceSearch' })
const ListInvoicesQuery = ListQuery.extend({ ...openWindow, ...states, q })
const SummaryQuery = z.object({ ...openWindow, q, voided: states.voided })

const Summary = z.object({
  revenueCents: Cents.describe('The payments, less refunds'),
  outstandingCents: Cents.describe('The unpaid amount'),
  overdueCents: Cents.describe('The part of `outstandingCents` whose due date has passed'),
  creditedCents: Cents.describe('The sum of credit notes'),
  refundedCents: Cents.describe('The sum of refunds, including those of credit notes that are not completed'),
  paidCount: z.int(),
  outstandingCount: z.int(),
  overdueCount: z.int(),
  voidedCount: z.int(),
})

export const invoiceRoutes: Routes = (on) => {
  on.get('/invoices', {
    id: 'listInvoices',
    access: admins,
    grant: 'cashier',
    tag,
    summary: 'List invoices',
    description:
      'Lists the invoices that were created in the window, newest first, without those that the payment processor refused (`failed`).',
    query: ListInvoicesQuery,
    answers: { 200: envelope(z.array(Invoice)) },
    read: ({ query, actor, services, now }) => answerList(services, actor, now, query, filterOf(query, actor)),
  })

  on.get('/invoices/summary', {
    id: 'summarizeInvoices',
    access: admins,
    tag,
    summary: 'Sum up revenue and outstanding amounts',
    description:
      'Returns totals and counts of the selected invoices. `failed` invoices are left out, and void ones count in ' +
      '`voidedCount` only.',
    query: SummaryQuery,
    answers: { 200: envelope(Summary) },
    read: async ({ query, actor, services, now }) =>
      ok(await summarizeInvoices(services.database, actor.organizationId, filterOf(query, actor), now)),
  })

  on.get('/invoices/orgUsers/:orgUserId', {
    id: 'listInvoicesOfMember',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'List the invoices of a member',
    description:
      'Lists a member’s invoices, newest first. Members see their own invoices; admins and cashiers see all.',
    params: z.object({ orgUserId: PathId }),
    query: ListQuery.extend({ ...openWindow, ...states }),
    answers: { 200: envelope(z.array(Invoice)) },
    errors: [billingErrors.notYourInvoices, identityErrors.noSuchMember],
    read: async ({ query, params, actor, services, now, asAdmin }) => {
      await assertOwnOrAdmin({ services, actor, asAdmin }, params.orgUserId)
      return answerList(services, actor, now, query, { ...filterOf(query, actor), orgUserId: params.orgUserId })
    },
  })

  on.get('/invoices/reservation/:reservationId', {
    id: 'readInvoiceOfReservation',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'Read the invoice of a booking',
    description:
      'Returns the caller’s own invoice of the booking; for admins, dispatchers and cashiers, that of any payer. When there ' +
      'are several, returns the oldest that is not void or, when all are void, the newest.',
    params: z.object({ reservationId: PathId }),
    answers: { 200: envelope(Invoice) },
    errors: [billingErrors.notInvoiced],
    read: async ({ params, actor, services, now, asAdmin }) => {
      const rows = await findInvoices(
        services.database,
        actor.organizationId,
        { reservationId: params.reservationId },
        { now },
      )
      const mine = rows.filter((row) => mayReadInvoice(actor, row))
      if (mine.length === 0) await asAdmin(billingErrors.notInvoiced)
      const readable = mine.length === 0 ? rows : mine
      const shown = readable.findLast((row) => row.status !== 'void') ?? readable[0]
      if (!shown) throw billingErrors.notInvoiced()
      return ok(invoiceView(shown, now))
    },
  })

  on.get('/invoices/reservation/:reservationId/invoiceTotals', {
    id: 'previewInvoiceTotals',
    access: 'member',
    tag,
    summary: 'Preview the costs of a flight and the shares of its payers',
    description:
      'Returns what the flight costs and how much each payer pays, without invoicing it. Only staff see other ' +
      'payers’ amounts.',
    params: z.object({ reservationId: PathId }),
    answers: { 200: envelope(InvoiceTotals) },
    errors: [billingErrors.nothingToBillYet],
    read: async ({ params, actor, services }) => {
      const row = await findFlight(services.database, actor.organizationId, params.reservationId)
      const totals = row && invoiceTotalsView(row, actor)
      if (!totals) throw billingErrors.nothingToBillYet()
      return ok(totals)
    },
  })

  on.get('/invoices/:id', {
    id: 'readInvoice',
    access: 'member',
    grant: 'cashier',
    tag,
    summary: 'Read an invoice',
    description:
      'Returns an invoice with its lines; as a PDF with the organization’s details and the pay link. Members read ' +
      'their own invoices; admins, dispatchers and cashiers read all.',
    params: IdParams,
    answers: { 200: envelope(Invoice) },
    formats: ['json', 'pdf'],
    errors: [billingErrors.noSuchInvoice, platformErrors.pdfsUnderWay],
    read: async ({ params, now, ...call }) => {
      const row = await findReadableInvoice(call, params.id, now)
      return call.format === 'pdf' ? answerPdf(call, row) : ok(invoiceView(row, now))
    },
  })
}

function filterOf({ q, paid, voided, overdue, ...query }: WindowInput & InvoiceFilter, actor: Actor): InvoiceFilter {
  return { ...windowOf(query, actor), q, paid, voided, overdue }
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

/** Answers an invoice as a PDF, with the details of the organization. */
async function answerPdf(
  call: Pick<Call<'member'>, 'actor' | 'db' | 'services' | 'count'>,
  row: InvoiceRow,
): Promise<Answer> {
  const { name, details, time_zone_name: zone } = await findOrganization(call.db, call.actor.organizationId)
  const paper = await makeLimited(call, () => renderSheet(invoiceSheet(row, { name, details, zone }), row.created_at))
  return fileAnswer(paper, 'pdf', { name: `invoice-${row.number ?? row.id}`, shown: true })
}
