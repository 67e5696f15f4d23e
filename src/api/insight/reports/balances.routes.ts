import { z } from 'zod'
import { type BalanceRow as Balance, selectBalances } from '../../../shared/insight/reports/balances.queries.ts'
import { type PaymentsRow as Payments, selectPayments } from '../../../shared/insight/reports/payments.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'
import type { Routes } from '../../http/endpoint.ts'
import { Cents, envelope, Id, membersOf, QueryMembers } from '../../http/schemas.ts'
import { recordRead } from '../../identity/profiles/audited-reading.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { type Cell, defineReport } from './define-report.ts'
import { type ReportParameters, TableQuery } from './reports.schemas.ts'

const BalanceRow = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable(),
    name: z.string(),
    dueCents: Cents.describe('The unpaid amount of invoices; negative when the school owes the payer'),
    overdueCents: Cents.describe('The part of `dueCents` whose due date `dueAt` has passed'),
    ledgerBalanceCents: Cents.describe('The balance of the ledger account; negative when the member owes the school'),
    packageCents: Cents.describe(
      'The value of what is left of the member’s packages: the credit, and the hours at the price per hour of their ' +
        'package. It is not part of any balance',
    ),
    balanceCents: Cents.describe('`dueCents` minus `ledgerBalanceCents`; positive when the payer owes the school').meta(
      {},
    ),
  })
  .meta({ id: 'BalanceRow' })

const balances = defineReport({
  key: 'balances',
  summary: 'Report what each payer owes and has in credit',
  description:
    'Returns the present balance of each member, and of guests and removed members with invoices or ledger ' +
    'entries. `dueCents` is the sum of `amountDueCents` minus `creditCents` over the payer’s invoices. CSV has the ' +
    'fields of the rows as columns. A cashier’s reading is recorded in the audit log once a day. Limits: 30 reports per hour and account, and two at a time per organization.',
  query: z.object({ format: z.enum(['json', 'csv']).default('json') }),
  row: BalanceRow,
  select: ({ organizationId, now }) => selectBalances(organizationId, now),
  view: (row: Balance) => row as Balance & Record<string, Cell>,
})

const PaymentsRow = z
  .object({
    date: z.string().describe('The local day of the payment, reversal or refund'),
    orgUserId: Id.nullable().describe('Who recorded, reversed or refunded it; null for the payment processor'),
    name: z.string().nullable(),
    method: z.string().describe('`cash`, `check`, `card`, `other` or `deposit`; for refunds `offline` or `card`'),
    payments: z.int(),
    amountCents: Cents,
    reversedCents: Cents.describe(
      'The amount reversed on that day, such as bounced checks and lost disputes, whatever the day of the payment',
    ),
    reversedByOthersCents: Cents.describe(
      'What somebody else reversed on that day of what this person recorded. It counts in `netCents` of that other person',
    ),
    refundedCents: Cents.describe('The amount refunded on that day, for credit notes and overpaid amounts'),
    netCents: Cents.describe('`amountCents` minus `reversedCents` and `refundedCents`'),
  })
  .meta({ id: 'PaymentsRow' })

const PaymentsQuery = TableQuery.extend({
  recordedBy: QueryMembers.optional().describe('Only what these members recorded, reversed or refunded'),
})

const payments = defineReport({
  key: 'payments',
  summary: 'Report payments and refunds by day, recorder and method',
  description:
    'Returns payments by the local day on which they were received, the person who recorded them, and method. ' +
    'Payments through the payment processor have no recorder. A reversal counts on its own day, under the member who ' +
    'reversed it, so that past days do not change. Refunds by hand and to cards count under the member who issued ' +
    'the credit note. A deposit that a cashier took has the method `deposit`; other movements of members’ ledger ' +
    'accounts are not included. A cashier gets only their own rows, to ' +
    'close a drawer, whatever `recordedBy` says. Limit: 30 reports per hour and ' +
    'account.',
  query: PaymentsQuery,
  row: PaymentsRow,
  select: ({ organizationId, reader, parameters: { recordedBy }, window, zone }) => {
    const by = reader.grant ? [reader.orgUserId] : recordedBy && membersOf(recordedBy, reader)
    return selectPayments({ organizationId, window: window() }, zone, by)
  },
  view: ({ recordedBy, ...row }: Payments) => ({
    ...row,
    orgUserId: recordedBy?.orgUserId ?? null,
    name: recordedBy?.name ?? null,
    netCents: minus(minus(row.amountCents, row.reversedCents), row.refundedCents),
  }),
})

/** The endpoints of the reports on payers' balances and on payments. Implements interface §Reports. */
export const balanceReportRoutes: Routes = (on) => {
  on.get('/reports/balances', {
    id: 'reportBalances',
    computed: true,
    access: admins,
    grant: 'cashier',
    tag: 'Reports',
    summary: balances.summary,
    description: balances.description,
    query: balances.query,
    answers: { 200: envelope(z.array(balances.row)) },
    formats: ['json', 'csv'],
    errors: reportErrors,
    read: async ({ query, ...call }) => {
      if (call.actor.grant) await recordRead(call, call.actor, { kind: 'balances.read' })
      return answerReport(balances, call, query as ReportParameters)
    },
  })

  on.get('/reports/payments', {
    id: 'reportPayments',
    computed: true,
    access: admins,
    grant: 'cashier',
    tag: 'Reports',
    summary: payments.summary,
    description: payments.description,
    query: payments.query,
    answers: { 200: envelope(z.array(payments.row)) },
    formats: ['json', 'csv'],
    errors: reportErrors,
    read: ({ query, ...call }) => answerReport(payments, call, query as ReportParameters),
  })
}
