import { updateResource } from '../../fleet/maintenance/update-resource.ts'
import { createResource } from '../../fleet/resources/create-resource.ts'
import { resourceKinds } from '../../fleet/resources/resource.rules.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import { optional, type RowOf, required } from '../reading/columns.rules.ts'
import { centsCell, flag, line, reading, word } from '../reading/parsers.rules.ts'
import { keysOf, onlyOf } from './find-named.ts'
import { CellRefused, importKind } from './import.types.ts'
import { findKnownLocations, findKnownResources } from './known.queries.ts'
import { changesOf, isNamed, isNothing, isTail, nameKey, tailKey } from './match.rules.ts'

const columns = {
  externalId: optional(line(100), { example: 'AC-1', doc: 'What your own system calls it', aliases: ['id'] }),
  name: required(line(200), { example: 'Skyhawk N5240T', doc: 'Its name', aliases: ['resource', 'aircraft'] }),
  kind: optional(word(resourceKinds), {
    example: 'plane',
    doc: 'plane, simulator or room; blank: plane',
    aliases: ['type'],
  }),
  tailNumber: optional(line(50), {
    example: 'N5240T',
    doc: 'Its registration',
    aliases: ['tail', 'registration', 'n number'],
  }),
  make: optional(line(100), { example: 'Cessna', doc: 'Its maker', aliases: ['manufacturer'] }),
  model: optional(line(100), { example: '172S', doc: 'Its model' }),
  location: optional(line(200), {
    example: 'Hayward Executive',
    doc: 'Name or externalId of its location; blank: the only one of the school',
    aliases: ['base', 'home base'],
  }),
  hobbsTime: optional(reading, {
    example: '4213.5',
    doc: 'Hours of the Hobbs meter',
    aliases: ['hobbs', 'hobbs reading'],
  }),
  tachTime: optional(reading, { example: '3870.2', doc: 'Hours of the tachometer', aliases: ['tach', 'tach reading'] }),
  wetRateCents: optional(centsCell, { example: '18500', doc: 'Cents an hour with fuel', aliases: ['wet rate'] }),
  dryRateCents: optional(centsCell, { example: '14500', doc: 'Cents an hour without fuel', aliases: ['dry rate'] }),
  billByHobbsTime: optional(flag, {
    example: 'yes',
    doc: 'Billed by the Hobbs meter: yes or no',
    aliases: ['bill by hobbs'],
  }),
  pool: optional(line(40), {
    example: 'Cessna 172',
    doc: 'The name of aircraft that a booking need not tell apart',
    aliases: ['group', 'aircraft group'],
  }),
}

type Row = RowOf<typeof columns>

/**
 * Imports aircraft, simulators and rooms. A row is matched with a stored resource by `externalId`, else by tail number
 * or, for a row without one, by name.
 */
export const importResources = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ externalId, tailNumber, name }) => {
    if (externalId !== undefined) return [`id ${nameKey(externalId)}`]
    return [tailNumber === undefined ? `name ${nameKey(name)}` : `tail ${tailKey(tailNumber)}`]
  },
  externalIdOf: ({ externalId = null }) => externalId,
  async open(tx, actor, rows) {
    const locations = await findKnownLocations(tx.db, actor.organizationId)
    const names = rows.flatMap(({ externalId, tailNumber, name }) => [externalId, tailNumber, name])
    const keys = [...keysOf(names), ...keysOf(names, tailKey)]
    const known = await findKnownResources(tx.db, actor.organizationId, keys)
    return async (row) => {
      const stored = match(known, row)
      const given = locationNamed(locations, row.location)
      if (!stored) {
        const [only, another] = locations
        const location = given ?? (another ? undefined : only)
        if (!location) throw new CellRefused('location', portabilityErrors.locationNeeded())
        const { name, externalId } = row
        const body = { name, externalId, location: { id: location.id } }
        const { id } = await createResource(tx, actor, {
          ...body,
          ...fieldsOf(row),
          type: { [row.kind ?? 'plane']: {} },
        })
        return { outcome: 'created', id }
      }
      const { id, kind } = stored
      if (row.kind !== undefined && row.kind !== kind) {
        throw new CellRefused('kind', portabilityErrors.kindStays({ kind }))
      }
      // Another spelling of the same registration changes nothing.
      const tailNumber = isTail(stored.tailNumber, row.tailNumber) ? undefined : row.tailNumber
      const { row: rising, problems } = withoutLowerMeters({ ...row, tailNumber }, stored)
      const changes = changesOf<object>(stored, {
        ...rising,
        kind: undefined,
        location: undefined,
        locationId: given?.id,
      })
      if (isNothing(changes)) return { outcome: 'unchanged', id, problems }
      await updateResource(tx, actor, id, {
        name: row.name,
        externalId: row.externalId,
        location: given && { id: given.id },
        ...fieldsOf(rising),
        // An update without `grounded: true` clears the reason of a grounding.
        ...(stored.groundedByPerson && { grounded: true }),
        type: { [kind]: {} },
      })
      return { outcome: 'updated', id, problems }
    }
  },
})

type Known = Awaited<ReturnType<typeof findKnownResources>>[number]

function match(known: readonly Known[], { externalId, tailNumber, name }: Row): Known | undefined {
  const byId = known.find((one) => isNamed(one.externalId, externalId))
  if (byId) return byId
  const free = known.filter((one) => one.externalId === null || externalId === undefined)
  if (tailNumber !== undefined) return onlyOf('tailNumber', free, (one) => isTail(one.tailNumber, tailNumber))
  return onlyOf('name', free, (one) => isNamed(one.name, name))
}

type Location = Awaited<ReturnType<typeof findKnownLocations>>[number]

/**
 * Returns the location to which a cell of the column refers; undefined for a blank cell.
 * @throws CellRefused when there is no such location, or more than one
 */
export function locationNamed(locations: readonly Location[], name: string | undefined): Location | undefined {
  if (name === undefined) return undefined
  const found =
    locations.find((one) => isNamed(one.externalId, name)) ??
    onlyOf('location', locations, (one) => isNamed(one.name, name))
  if (!found) throw new CellRefused('location', portabilityErrors.unknownLocation())
  return found
}

function fieldsOf(row: Row) {
  const { tailNumber, make, model, pool, hobbsTime, tachTime, wetRateCents, dryRateCents, billByHobbsTime } = row
  const cost = { wetRate: wetRateCents, dryRate: dryRateCents, billByHobbsTime }
  return { tailNumber, make, model, pool, hobbsTime, tachTime, cost }
}

/**
 * Returns the row without meter readings that are lower than the stored ones, and a problem for each of them: the file
 * can be older than the last flights.
 */
function withoutLowerMeters(row: Row, stored: { hobbsTime: Hundredths | null; tachTime: Hundredths | null }) {
  const lower = (['hobbsTime', 'tachTime'] as const).filter((meter) => (row[meter] ?? Infinity) < (stored[meter] ?? 0))
  const problems: RowProblem[] = lower.map((column) => ({ column, message: portabilityErrors.meterStays() }))
  return { row: { ...row, ...Object.fromEntries(lower.map((meter) => [meter, undefined])) } as Row, problems }
}
