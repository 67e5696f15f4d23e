import { z } from 'zod'
import { insightErrors } from '../../../shared/insight/insight.errors.ts'
import { type MemberStates, readMemberStates } from '../../../shared/insight/reports/currencies.queries.ts'
import { csvLines } from '../../../shared/insight/reports/write-csv-lines.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import { staff } from '../../../shared/platform/authz/roles.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import { type CurrencyRow, listCurrencies } from '../../../shared/qualification/currencies/currency.queries.ts'
import { currencyStatuses } from '../../../shared/qualification/currencies/currency.rules.ts'
import { scopeKey } from '../../../shared/qualification/currencies/currency-scopes.rules.ts'
import { ok } from '../../http/answers.ts'
import type { Routes } from '../../http/endpoint.ts'
import { fileAnswer } from '../../http/formats.ts'
import { Day, envelope, Id } from '../../http/schemas.ts'
import { takePlace } from './report-places.ts'

const CurrencyReportRow = z
  .object({
    orgUserId: Id,
    name: z.string(),
    currencyId: Id,
    currency: z.string(),
    scope: z
      .string()
      .nullable()
      .describe('The aircraft category, class, type or tailwheel, for currencies that depend on it; otherwise null'),
    status: z.enum(currencyStatuses),
    validUntil: Day.nullable(),
  })
  .meta({ id: 'CurrencyReportRow' })

/** The endpoint of the report on members' currencies. Implements interface §Reports. */
export const currencyReportRoutes: Routes = (on) => {
  on.get('/reports/currencies', {
    id: 'reportCurrencies',
    computed: true,
    access: staff,
    tag: 'Reports',
    summary: 'Report the currencies of members',
    description:
      'Returns one row per member and currency that applies to the member, by name (14 CFR 61.56, 61.57, 61.23, ' +
      '61.197, and the school’s own). Instructors get themselves and their own students: those with an open ' +
      'enrollment with them, or with a booking with them within 60 days. CSV has one row per member and one column ' +
      'per currency, with the status and the last valid local day. Limits: 30 reports per hour and account, and ' +
      'two at a time per organization.',
    answers: { 200: envelope(z.array(CurrencyReportRow)) },
    formats: ['json', 'csv'],
    errors: [insightErrors.reportsRunning],
    read: async ({ db, actor, now, format, count }) => {
      await count([['reports', String(actor.accountId)]])
      const release = takePlace(actor.organizationId)
      try {
        return format === 'csv' ? await answerFile(db, actor, now) : ok(await rowsOf(db, actor, now))
      } finally {
        release()
      }
    },
  })
}

async function rowsOf(db: Db, actor: Actor, now: Date): Promise<z.input<typeof CurrencyReportRow>[]> {
  const rows: z.input<typeof CurrencyReportRow>[] = []
  for await (const members of readMemberStates(db, actor, now)) {
    for (const { orgUserId, name, states } of members) {
      for (const { currency, scope, status, validUntil } of states) {
        const { id: currencyId, name: called } = currency
        rows.push({ orgUserId, name, currencyId, currency: called, scope: scopeKey(scope) || null, status, validUntil })
      }
    }
  }
  return rows
}

async function answerFile(db: Db, actor: Actor, now: Date) {
  const currencies = await listCurrencies(db, actor.organizationId).slice(0, Number.MAX_SAFE_INTEGER)
  const lines: Buffer[] = [csvLines([['orgUserId', 'name', ...currencies.map(({ name }) => name)]], { bom: true })]
  for await (const members of readMemberStates(db, actor, now)) {
    lines.push(csvLines(members.map((member) => lineOf(member, currencies))))
  }
  return fileAnswer(Buffer.concat(lines), 'csv', { name: 'currencies' })
}

/**
 * Returns the cells of a member: the status and last valid day of each currency; per aircraft when the currency depends
 * on the aircraft.
 */
function lineOf({ orgUserId, name, states }: MemberStates, currencies: readonly CurrencyRow[]) {
  const cells = currencies.map(({ id }) =>
    states
      .filter(({ currency }) => currency.id === id)
      .map(({ scope, status, validUntil }) => [scopeKey(scope), status, validUntil].filter(Boolean).join(' '))
      .join('; '),
  )
  return [orgUserId, name, ...cells]
}
