import { reservationTypes } from '../../fleet/resources/reservation-types.rules.ts'
import { roles } from '../../platform/authz/roles.ts'
import { enforcements } from '../../platform/authz/rule-settings.ts'
import { currencyKinds } from '../../qualification/currencies/currency.rules.ts'
import { hoursScopes } from '../../qualification/currencies/hours-in-model.rules.ts'
import { createCurrency, updateCurrency } from '../../qualification/currencies/write-currency.ts'
import { optional, required } from '../reading/columns.rules.ts'
import { line, whole, word, words } from '../reading/parsers.rules.ts'
import { onlyOf } from './find-named.ts'
import { importKind } from './import.types.ts'
import { findKnownCurrencies } from './known.queries.ts'
import { changesOf, isNamed, isNothing, nameKey } from './match.rules.ts'

const columns = {
  name: required(line(100), { example: '90-day checkout', doc: 'Its name', aliases: ['currency'] }),
  kind: required(word(currencyKinds), {
    example: 'recent_flights',
    doc: '`expiring`: somebody records a date; `recent_flights`: so many flights in so many days; `hours_in_model`: so many hours; or a rule of a regulation',
    aliases: ['type'],
  }),
  enforcement: optional(word(enforcements), {
    example: 'warn',
    doc: 'off, warn or block a booking of somebody who is not current; blank: warn',
  }),
  roles: optional(words(roles), { example: 'renter student', doc: 'Who must be current; blank: everyone' }),
  reservationTypes: optional(words(reservationTypes), {
    example: 'rental',
    doc: 'For which bookings; blank: all',
    aliases: ['booking types'],
  }),
  warnDays: optional(whole(0, 3650), { example: '30', doc: 'How many days before its end it is warned of' }),
  count: optional(whole(1, 1000), { example: '3', doc: 'Of recent_flights: how many', aliases: ['flights'] }),
  days: optional(whole(1, 3650), { example: '90', doc: 'Of recent_flights and hours_in_model: in how many days' }),
  deciHours: optional(whole(1, 100_000), { example: '', doc: 'Of hours_in_model: how many tenths of an hour' }),
  scope: optional(word(hoursScopes), {
    example: '',
    doc: 'Of hours_in_model: make_model, class or any; blank: make_model',
  }),
}

/** Imports currencies. A row is matched with a stored currency by name. */
export const importCurrencies = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ name }) => [nameKey(name)],
  externalIdOf: () => null,
  async open(tx, actor) {
    const known = await findKnownCurrencies(tx.db, actor.organizationId)
    return async (row) => {
      const stored = onlyOf('name', known, (one) => isNamed(one.name, row.name))
      if (!stored) {
        const { id } = await createCurrency(tx, actor, {
          ...row,
          roles: row.roles ?? [],
          reservationTypes: row.reservationTypes ?? [],
          resourceIds: [],
          warnDays: row.warnDays ?? 30,
          count: row.count ?? null,
          days: row.days ?? null,
          deciHours: row.deciHours ?? null,
          scope: row.scope ?? null,
          validCalendarMonths: null,
          privilege: null,
          appliesTo: 'everyone',
          liftedWhenSupervised: false,
          overridableBy: ['owner', 'admin'],
        })
        return { outcome: 'created', id }
      }
      const { id } = stored
      const changes = changesOf<object>(stored, row)
      if (isNothing(changes)) return { outcome: 'unchanged', id }
      await updateCurrency(tx, actor, id, changes)
      return { outcome: 'updated', id }
    }
  },
})
