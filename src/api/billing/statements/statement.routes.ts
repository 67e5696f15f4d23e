import { z } from 'zod'
import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import {
  findStandingPurchases,
  type PurchaseRow,
  purchaseStatuses,
} from '../../../shared/billing/packages/package.queries.ts'
import { readStatement } from '../../../shared/billing/statements/statement.queries.ts'
import { type Statement, statementKinds, statementOf } from '../../../shared/billing/statements/statement.rules.ts'
import { identityErrors } from '../../../shared/identity/identity.errors.ts'
import { findOrganization } from '../../../shared/identity/organizations/organization.queries.ts'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { reportWindow } from '../../../shared/insight/reports/report-window.rules.ts'
import { platformErrors } from '../../../shared/platform/platform.errors.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { iso } from '../../http/iso.ts'
import { Cents, envelope, Id, IdParams, Instant } from '../../http/schemas.ts'
import { reportWindowFields } from '../../http/windows.ts'
import { makeLimited } from '../../pdf/limited-pdf.ts'
import { assertReadsAccount } from '../ledger/account.access.ts'
import { purchaseView } from '../packages/package.view.ts'
import { renderStatement } from './statement-sheet.ts'

/** The most rows of a statement. */
const MOST_ROWS = 2_000

const StatementRow = z.object({
  at: Instant,
  kind: z.enum(statementKinds),
  id: Id.describe('The id of the invoice, credit note, payment or ledger entry; for `package` of the invoice'),
  number: z.int().nullable().describe('The number of the invoice or credit note; null for a ledger entry'),
  description: z.string(),
  amountCents: Cents.describe('Positive: owed to the organization; a payment or deposit is negative'),
  packageCents: Cents.nullable().describe(
    'What a package covered of the invoice, for the kind `package`; null for other kinds',
  ),
  balanceCents: Cents.describe('The balance after this row'),
})

const PackageLeft = z.object({
  purchaseId: Id,
  name: z.string(),
  status: z.enum(purchaseStatuses),
  remainingCents: Cents.nullable().describe('null for a package of hours'),
  remainingDeciHours: z.int().nullable().describe('Tenths of an hour; null for a package of credit'),
  expiresAt: Instant.nullable().describe('null before payment, and when it never expires'),
})

const StatementData = z
  .object({
    openingBalanceCents: Cents.describe('Positive: owed to the organization'),
    closingBalanceCents: Cents.describe(
      'The opening balance plus the amounts of all rows. Positive: owed to the organization',
    ),
    currency: z.string(),
    rows: z
      .array(StatementRow)
      .describe(
        'An invoice that was charged to the ledger is one row, without the charge. A payment from the ledger is two rows of ' +
          'one instant: the payment and its ledger entry. What a package covered is a row of 0 cents',
      ),
    packages: z
      .array(PackageLeft)
      .describe('What is left now of each package that the member bought, except refunded ones'),
  })
  .meta({ id: 'Statement' })

function statementView(
  statement: Statement,
  { currency, packages }: { currency: string; packages: readonly PurchaseRow[] },
): z.input<typeof StatementData> {
  const rows = statement.rows.map((row) => ({ ...row, at: iso(row.at) }))
  return { ...statement, currency, rows, packages: packages.map(leftOf) }
}

function leftOf(purchase: PurchaseRow): z.input<typeof PackageLeft> {
  const { id, name, status, remainingCents, remainingDeciHours, expiresAt } = purchaseView(purchase)
  return { purchaseId: id, name, status, remainingCents, remainingDeciHours, expiresAt }
}

/** The endpoint of a member's statement of account. Implements interface §Invoices. */
export const statementRoutes: Routes = (on) => {
  on.get('/orgUsers/:id/statement', {
    id: 'readStatement',
    access: 'member',
    grant: 'cashier',
    tag: 'Invoices',
    summary: 'Read the statement of a member',
    description:
      'Returns the opening balance, the invoices, credit notes, payments, refunds and ledger entries of the ' +
      'period, and the closing balance. Void invoices are left out. A refund that is not completed counts as ' +
      'refunded. For a period that ends now, the closing balance equals `balanceCents` of `GET /reports/balances`. ' +
      'Members see their own statement; admins and cashiers see all. A cashier’s reading is recorded in the audit ' +
      'log, once a day for each member. At most 400 days and 2,000 rows. `format=pdf` returns a document.',
    params: IdParams,
    query: z.object(reportWindowFields),
    answers: { 200: envelope(StatementData) },
    formats: ['json', 'pdf'],
    errors: [
      [platformErrors.notAllowed, 'the caller is neither the member nor an admin'],
      billingErrors.notYourAccount,
      identityErrors.noSuchMember,
      platformErrors.datesReversed,
      insightErrors.windowTooLong,
      insightErrors.tooManyRows,
      platformErrors.pdfsUnderWay,
    ],
    read: async ({ params, query, now, ...call }) => {
      const { services, db, actor, format } = call
      const { organizationId, organization } = actor
      await assertReadsAccount({ ...call, now }, params.id)
      const { name, details, time_zone_name: zone } = await findOrganization(db, organizationId)
      const window = reportWindow(query, now, zone)
      const of = { organizationId, orgUserId: params.id }
      const { member, openingBalanceCents, entries } = await readStatement(services.database, of, window, MOST_ROWS)
      if (entries.length > MOST_ROWS) throw insightErrors.tooManyRows({ limit: MOST_ROWS })
      const statement = statementOf(openingBalanceCents, entries)
      const { currency } = organization.settings
      const packages = await findStandingPurchases(db, of, now)
      if (format !== 'pdf') return ok(statementView(statement, { currency, packages }))
      const left = packages.map(leftOf)
      const paper = await makeLimited(call, () =>
        renderStatement(statement, { member, window, currency, packages: left }, { name, details, zone }, now),
      )
      return fileAnswer(paper, 'pdf', { name: 'statement', shown: true })
    },
  })
}
