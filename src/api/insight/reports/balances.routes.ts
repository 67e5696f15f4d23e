import { z } from 'zod'
import { type BalanceRow as Balance, selectBalances } from '../../../shared/insight/reports/balances.queries.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import type { Routes } from '../../http/endpoint.ts'
import { Cents, envelope, Id } from '../../http/schemas.ts'
import { answerReport, reportErrors } from './answer-report.ts'
import { type Cell, defineReport } from './define-report.ts'
import type { ReportParameters } from './reports.schemas.ts'

const BalanceRow = z
  .object({
    orgUserId: Id.nullable(),
    guestId: Id.nullable().meta({ examples: [null] }),
    name: z.string().meta({ examples: ['Ana Ruiz'] }),
    dueCents: Cents.describe('On invoices; negative: the school owes the payer').meta({ examples: [19_900] }),
    overdueCents: Cents.describe('The part that is past `dueAt`').meta({ examples: [0] }),
    ledgerBalanceCents: Cents.describe('On account; negative: the member owes the school').meta({ examples: [5_000] }),
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

/** The endpoint of the report on payers' balances. Implements interface §Reports. */
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
}
