import type { Interval } from '../../platform/kernel/instants.ts'

/** Returns the times of a list that overlap an interval; the list is ordered by start. */
export type NearTimes = <Time extends Interval>(times: readonly Time[], near: Interval) => Time[]

/**
 * Returns a function that finds the times near a booking among all times of a person or a resource. It looks only at times
 * that can overlap the interval, because a school has thousands of bookings and each has its own interval. It remembers the
 * longest time of each list, so a list must not change.
 */
export function rememberTimes(): NearTimes {
  const longest = new Map<readonly Interval[], number>()
  return (times, { start, end }) => {
    if (times.length === 0) return []
    let most = longest.get(times)
    if (most === undefined) {
      most = times.reduce((sum, time) => Math.max(sum, time.end.getTime() - time.start.getTime()), 0)
      longest.set(times, most)
    }
    const [from, to] = [start.getTime(), end.getTime()]
    const near: (typeof times)[number][] = []
    for (let at = firstFrom(times, from - most); at < times.length; at += 1) {
      const time = times[at]!
      if (time.start.getTime() >= to) break
      if (time.end.getTime() > from) near.push(time)
    }
    return near
  }
}

/** Returns the index of the first time that starts at an instant or later. */
function firstFrom(times: readonly Interval[], instant: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]!.start.getTime() < instant) low = middle + 1
    else high = middle
  }
  return low
}
