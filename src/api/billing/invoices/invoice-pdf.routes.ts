import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import type { Routes } from '../../http/endpoint.ts'
import { IdParams } from '../../http/schemas.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { findReadableInvoice } from './invoice.access.ts'
import { invoiceSheet } from './pdf/invoice-sheet.ts'
import { renderSheet } from './pdf/render-sheet.ts'

export const invoicePdfRoutes: Routes = (on) => {
  on.get('/invoices/:id/pdf', {
    id: 'readInvoicePdf',
    access: 'member',
    tag: 'Invoices',
    summary: 'Read an invoice as a PDF',
    description:
      'Returns the invoice with the organization’s details, the lines, the totals and the pay link. Allowed for ' +
      'everyone who may read the invoice.',
    params: IdParams,
    answers: { 200: null },
    media: 'application/pdf',
    errors: [billingErrors.noSuchInvoice, platformErrors.pdfsUnderWay],
    read: async ({ params, now, ...call }) => {
      const { actor, services, db } = call
      const row = await findReadableInvoice(services, actor, params.id, now)
      const { name, details, time_zone_name: zone } = await findOrganization(db, actor.organizationId)
      return {
        status: 200,
        body: await makeLimited(call, () => renderSheet(invoiceSheet(row, { name, details, zone }), row.created_at)),
        headers: {
          'content-type': 'application/pdf',
          'content-disposition': `inline; filename="invoice-${row.number ?? row.id}.pdf"`,
          'cache-control': 'private, no-store',
        },
      }
    },
  })
}
