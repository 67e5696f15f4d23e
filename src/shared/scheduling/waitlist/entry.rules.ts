import type { Interval } from '../../platform/kernel/instants.ts'

const MINUTE_MS = 60_000

/** What a waiting entry asks for. Empty lists mean any. */
export interface Wish {
  windows: readonly Interval[]
  durationMinutes: number
  noticeMinutes: number
  resourceIds: readonly number[]
  pool: string | null
  instructorIds: readonly number[]
  insteadOfId: number | null
}

/**
 * Returns whether a change lets an entry be offered a place that it was not offered before: the entry then goes to the end of
 * the list, so that nobody keeps a rank older than their wish.
 */
export function widens(before: Wish, after: Wish): boolean {
  return (
    after.durationMinutes !== before.durationMinutes ||
    after.noticeMinutes < before.noticeMinutes ||
    (before.insteadOfId !== null && after.insteadOfId !== before.insteadOfId) ||
    after.windows.some((window) => !before.windows.some((old) => contains(old, window))) ||
    !isSamePool(after.pool, before.pool) ||
    adds(before.resourceIds, after.resourceIds) ||
    adds(before.instructorIds, after.instructorIds)
  )
}

/** Returns whether two entries wait for the same pool, or both for none; case does not count. */
function isSamePool(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase()
}

/** Returns whether a list of ids has one that another lacks; an empty list means all. */
function adds(before: readonly number[], after: readonly number[]): boolean {
  if (before.length === 0) return false
  return after.length === 0 || after.some((id) => !before.includes(id))
}

/** A place: a time on an aircraft, with an instructor where one is needed. */
export interface Place extends Interval {
  resourceId: number | null
  instructorId: number | null
}

/** Returns whether a place is one that an entry waits for. */
export function fits(wish: Wish, place: Place): boolean {
  const minutes = (place.end.getTime() - place.start.getTime()) / MINUTE_MS
  return (
    minutes === wish.durationMinutes &&
    wish.windows.some((window) => contains(window, place)) &&
    isAmong(wish.resourceIds, place.resourceId) &&
    isAmong(wish.instructorIds, place.instructorId)
  )
}

function isAmong(ids: readonly number[], id: number | null): boolean {
  return ids.length === 0 || id === null || ids.includes(id)
}

/** Returns whether no place of an entry can come any more: its latest start is closer than its notice. */
export function isOver(wish: Pick<Wish, 'windows' | 'durationMinutes' | 'noticeMinutes'>, now: Date): boolean {
  const latest = Math.max(...wish.windows.map(({ end }) => end.getTime())) - wish.durationMinutes * MINUTE_MS
  return latest < now.getTime() + wish.noticeMinutes * MINUTE_MS
}

function contains(outer: Interval, inner: Interval): boolean {
  return outer.start.getTime() <= inner.start.getTime() && inner.end.getTime() <= outer.end.getTime()
}
