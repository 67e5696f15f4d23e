import type { Position } from '../platform/db/keyset.ts'
import type { Source } from '../platform/db/read-rows.ts'
import {
  listOperationRows,
  type OperationRecord,
  type OperationRowRecord,
} from '../platform/operations/operation.queries.ts'
import { type NamedPlace, namePlaces } from '../scheduling/reservations/named-places.queries.ts'
import type { BulkDetail } from './bulk.types.ts'

/** The place of a booking before and after a bulk; `to` is null when the booking is cancelled or stays. */
export interface PlacesOfRow {
  from: NamedPlace
  to: NamedPlace | null
}

/**
 * Returns where bookings were before and after a bulk, in the same order; undefined for rows that do not keep it: those that are not
 * processed yet, and those of version 0.1.0.
 */
export async function findPlaces(
  source: Source,
  organizationId: number,
  details: readonly (BulkDetail | null)[],
): Promise<(PlacesOfRow | undefined)[]> {
  const kept = details.map((detail) => (detail?.personnel ? detail : null))
  const pairs = kept.flatMap((detail) => (detail ? [detail, { ...detail, ...detail.after }] : []))
  const named = (await namePlaces(source, organizationId, pairs)).values()
  return kept.map((detail) => {
    if (!detail) return undefined
    const [from, to] = [named.next().value!, named.next().value!]
    return { from, to: detail.after ? to : null }
  })
}

/** A row of an operation; the row of a bulk has the places of its booking. */
export type RowWithPlaces = OperationRowRecord & Partial<PlacesOfRow>

/** Lists the rows of an operation in the order in which they are processed, the rows of a bulk with the places of their bookings. */
export function listRowsWithPlaces(
  source: Source,
  organizationId: number,
  operation: Pick<OperationRecord, 'id' | 'kind'>,
  outcomes?: readonly string[],
) {
  const list = listOperationRows(source, organizationId, operation, outcomes)
  const withPlaces = async <Row extends OperationRowRecord>(rows: Row[]) => {
    if (operation.kind !== 'reservation_bulk') return rows
    const places = await findPlaces(
      source,
      organizationId,
      rows.map(({ detail }) => detail as BulkDetail | null),
    )
    return rows.map((row, at) => ({ ...row, ...places[at] }))
  }
  return {
    ...list,
    slice: async (...page: Parameters<typeof list.slice>): Promise<RowWithPlaces[]> =>
      withPlaces(await list.slice(...page)),
    following: async (after: Position | null, limit: number) => withPlaces(await list.following(after, limit)),
  }
}
