import { isEndable } from '../../qualification/currencies/currency.rules.ts'
import { medicalClasses } from '../../qualification/currencies/medical.rules.ts'
import { recordCurrency } from '../../qualification/currencies/record-currency.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import { optional, required } from '../reading/columns.rules.ts'
import { day, lastMoment, line, moment, orNever, word } from '../reading/parsers.rules.ts'
import { loadMembers, memberColumn, onlyOf } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownCurrencies, findKnownCurrencyRecords } from './known.queries.ts'
import { changesOf, isNamed, isNothing, nameKey } from './match.rules.ts'

const columns = {
  member: memberColumn('member', 'pilot'),
  currency: required(line(100), { example: 'Medical', doc: 'Name of the currency', aliases: ['currency name'] }),
  completedAt: required(moment, {
    example: '2026-02-10',
    doc: 'When it was done; of a medical the day of the examination',
    aliases: ['completed', 'date', 'examined at', 'examination date', 'done on'],
    isDate: true,
  }),
  expiresAt: optional(orNever(lastMoment), {
    example: '',
    doc: 'The last day, of a currency whose end no regulation gives; never; blank: by its own period',
    aliases: ['expires', 'expiration date', 'valid until'],
    isDate: true,
  }),
  class: optional(word(medicalClasses), {
    example: 'third',
    doc: 'Of a medical: its class',
    aliases: ['medical class'],
  }),
  courseAt: optional(moment, {
    example: '',
    doc: 'Of BasicMed: the day of the online course',
    aliases: ['course date'],
    isDate: true,
  }),
  endedOn: optional(day, {
    example: '',
    doc: 'The day on which it was lost before its end, such as a medical that was suspended; blank: it was not',
    aliases: ['ended', 'suspended on', 'denied on'],
    isDate: true,
  }),
}

/**
 * Imports the dates of members' currencies. A row is matched with a stored record by member and currency. A later date,
 * or other values for the same date, replace the stored record. An earlier date changes nothing and is reported as a
 * problem.
 */
export const importCurrencyRecords = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ member, currency, completedAt }) => [
    `${nameKey(member)} ${nameKey(currency)} ${completedAt.toISOString()}`,
  ],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId } = actor
    const members = await loadMembers(
      tx,
      organizationId,
      rows.map(({ member }) => member),
    )
    const currencies = await findKnownCurrencies(tx.db, organizationId)
    return async ({ member, currency: name, ...row }) => {
      const memberId = members.idOf('member', member)
      const currency = onlyOf('currency', currencies, (one) => isNamed(one.name, name))
      if (!currency) throw new CellRefused('currency', portabilityErrors.unknownCurrency())
      const isRegulated = currency.kind !== 'expiring' && row.expiresAt !== undefined
      const problems: RowProblem[] = isRegulated
        ? [{ column: 'expiresAt', message: portabilityErrors.followsFromRegulation() }]
        : []
      const dates = isRegulated ? { ...row, expiresAt: undefined } : row
      if (row.endedOn !== undefined && !isEndable(currency.kind)) {
        throw new CellRefused('endedOn', portabilityErrors.endOfComputed())
      }
      const known = await findKnownCurrencyRecords(tx.db, organizationId, [memberId])
      const stored = known.find((one) => one.currencyId === currency.id)
      if (stored && stored.completedAt > row.completedAt) {
        const older = { column: 'completedAt', message: portabilityErrors.olderRecord() }
        return { outcome: 'unchanged', id: stored.id, problems: [older] }
      }
      if (stored && isNothing(changesOf<object>(stored, dates)))
        return { outcome: 'unchanged', id: stored.id, problems }
      if (currency.kind === 'expiring' && currency.validCalendarMonths === null && dates.expiresAt === undefined) {
        throw new CellRefused('expiresAt', portabilityErrors.endMissing())
      }
      const { id } = await recordCurrency(tx, actor, { orgUserId: memberId, currencyId: currency.id, ...dates })
      return { outcome: stored ? 'updated' : 'created', id, problems }
    }
  },
})
