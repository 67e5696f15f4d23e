import { z } from 'zod'
import { type BalanceRow as Balance, selectBalances } from '../../../shared/insight/reports/balances.queries.ts'
import { type PaymentsRow as Payments, selectPayments } from '../../../shared/insight/reports/payments.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Routes } from '../../http/endpoint.ts'
import { Cents, envelope, Id } from '../../http/schemas.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { type Cell, defineReport } from './define-report.ts'
import { type ReportParameters, TableQuery } from './reports.schemas.ts'

const BalanceRow = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable().meta({ examples: [null] }),
    name: z.string().meta({ examples: ['Ana Ruiz'] }),
    dueCents: Cents.describe('On invoices; negative: the school owes the payer').meta({ examples: [19_900] }),
    overdueCents: Cents.describe('The part that is past `dueAt`').meta({ examples: [0] }),
    ledgerBalanceCents: Cents.describe('On account; negative: the member owes the school').meta({ examples: [5_000] }),
    packageCents: Cents.describe('Left of packages: credit, and hours at their part of the price; in no balance').meta({
      examples: [0],
    }),
    balanceCents: Cents.describe('`dueCents` less `ledgerBalanceCents`; positive: owed to the school').meta({
      examples: [14_900],
    }),
  })
  .meta({ id: 'BalanceRow' })

const balances = defineReport({
  key: 'balances',
  summary: 'What each payer owes, and has on account',
  description:
    'As of now: every member, and guests and removed members who have invoices or ledger entries. `dueCents` adds up ' +
    '`amountDueCents` less `creditCents` of the payer’s invoices. 30 reports an hour and account; two at once of an ' +
    'organization. CSV has the fields of the rows as its columns.',
  query: z.object({ format: z.enum(['json', 'csv']).default('json') }),
  row: BalanceRow,
  select: ({ organizationId, now }) => selectBalances(organizationId, now),
  view: (row: Balance) => row as Balance & Record<string, Cell>,
})

const PaymentsRow = z
  .object({
    date: z
      .string()
      .describe('The local day on which it came in, was reversed, or went back')
      .meta({ examples: ['2026-11-21'] }),
    orgUserId: Id.nullable().describe(
      'Who recorded it, reversed it, or gave it back; null: the payment processor did by itself',
    ),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Olivia Okafor'] }),
    method: z
      .string()
      .describe('`cash`, `check`, `card`, `other`; of what went back `offline` or `card`')
      .meta({ examples: ['check'] }),
    payments: z.int().meta({ examples: [3] }),
    amountCents: Cents.meta({ examples: [54_000] }),
    reversedCents: Cents.describe('Taken back on that day, of payments of any day: bounced checks, lost disputes').meta(
      {
        examples: [0],
      },
    ),
    refundedCents: Cents.describe('Given back on that day by credit notes and of what was overpaid').meta({
      examples: [0],
    }),
  })
  .meta({ id: 'PaymentsRow' })

const payments = defineReport({
  key: 'payments',
  summary: 'What came in and went back, by day, recorder and method',
  description:
    'Payments by the local day on which they were received, by who recorded them and by method; what the payment processor ' +
    'took in has no recorder. A reversal counts on its own day, by who reversed it, so a closed day stays as it was. Refunds by hand and to the card are rows by who gave the credit note. Charges of members’ accounts are none. Up to 400 days; 30 reports an hour and account.',
  query: TableQuery,
  row: PaymentsRow,
  select: ({ organizationId, window, zone }) => selectPayments({ organizationId, window: window() }, zone),
  view: ({ recordedBy, ...row }: Payments) => ({
    ...row,
    orgUserId: recordedBy?.orgUserId ?? null,
    name: recordedBy?.name ?? null,
  }),
})

/** The endpoints of the reports on payers' balances and on payments. Implements interface §Reports. */
export const balanceReportRoutes: Routes = (on) => {
  on.get('/reports/balances', {
    id: 'reportBalances',
    access: admins,
    tag: 'Reports',
    summary: balances.summary,
    description: balances.description,
    query: balances.query,
    answers: { 200: envelope(z.array(balances.row)) },
    otherMedia: ['text/csv'],
    errors: reportErrors,
    read: ({ query, ...call }) => answerReport(balances, call, query as ReportParameters),
  })

  on.get('/reports/payments', {
    id: 'reportPayments',
    access: admins,
    tag: 'Reports',
    summary: payments.summary,
    description: payments.description,
    query: payments.query,
    answers: { 200: envelope(z.array(payments.row)) },
    otherMedia: ['text/csv'],
    errors: reportErrors,
    read: ({ query, ...call }) => answerReport(payments, call, query as ReportParameters),
  })
}
