import { createLocation, updateLocation } from '../../identity/locations/write-location.ts'
import type { Address } from '../../identity/organizations.tables.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import { airport, country, line, zone } from '../reading/parsers.rules.ts'
import { onlyOf } from './find-named.ts'
import { importKind } from './import.types.ts'
import { findKnownLocations } from './known.queries.ts'
import { changesOf, isNamed, isNothing, nameKey } from './match.rules.ts'

const columns = {
  externalId: optional(line(100), {
    example: 'KHWD-MAIN',
    doc: 'What your own system calls it',
    aliases: ['id', 'location id'],
  }),
  name: required(line(200), { example: 'Hayward Executive', doc: 'Its name', aliases: ['location', 'location name'] }),
  airportIdentifier: optional(airport, {
    example: 'KHWD',
    doc: 'The code of its airport',
    aliases: ['airport', 'airport code', 'icao'],
  }),
  timeZoneName: optional(zone, {
    example: 'America/Los_Angeles',
    doc: 'Its time zone; blank: that of the school',
    aliases: ['time zone', 'zone'],
  }),
  line1: optional(line(200), { example: '20301 Skywest Dr', doc: 'Street', aliases: ['address', 'street'] }),
  city: optional(line(200), { example: 'Hayward', doc: 'City' }),
  state: optional(line(200), { example: 'CA', doc: 'State' }),
  postalCode: optional(line(20), { example: '94541', doc: 'Postal code', aliases: ['zip', 'zip code'] }),
  country: optional(country, { example: 'US', doc: 'Country, two letters' }),
}

type Row = RowOf<typeof columns>

/** Imports locations. A row is matched with a stored location by `externalId`, else by name. */
export const importLocations = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ externalId, name }) => [externalId === undefined ? `name ${nameKey(name)}` : `id ${nameKey(externalId)}`],
  externalIdOf: ({ externalId = null }) => externalId,
  async open(tx, actor) {
    const known = await findKnownLocations(tx.db, actor.organizationId)
    return async (row) => {
      const { name, airportIdentifier, timeZoneName, externalId } = row
      const fields = { name, airportIdentifier, timeZoneName, externalId }
      const stored =
        known.find((one) => isNamed(one.externalId, externalId)) ??
        onlyOf('name', known, (one) => isNamed(one.name, name) && (one.externalId === null || externalId === undefined))
      if (!stored) {
        const { id } = await createLocation(tx, actor, { ...fields, address: addressOf(row) })
        return { outcome: 'created', id }
      }
      const { id } = stored
      const before = stored.address as Address
      const address = changesOf<Address>(before, addressOf(row))
      const changes = changesOf<object>(stored, fields)
      if (isNothing(address) && isNothing(changes)) return { outcome: 'unchanged', id }
      await updateLocation(tx, actor, id, { ...changes, address: { ...before, ...address } })
      return { outcome: 'updated', id }
    }
  },
})

/** Returns the parts of an address that a row gives. */
function addressOf({ line1, city, state, postalCode, country: land }: Row): Address {
  const parts = { line1, city, state, postalCode, country: land }
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}
