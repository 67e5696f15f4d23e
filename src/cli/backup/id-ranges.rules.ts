/** Ids as ascending ranges, each with its first and last id: `[[1, 4], [6, 6]]` is 1, 2, 3, 4 and 6. */
export type IdRanges = readonly (readonly [number, number])[]

/** Returns ascending ids as ranges. */
export function rangesOf(ids: readonly number[]): [number, number][] {
  const ranges: [number, number][] = []
  for (const id of ids) {
    const last = ranges.at(-1)
    if (last && id === last[1] + 1) last[1] = id
    else ranges.push([id, id])
  }
  return ranges
}

/** Returns the ids that are in no range, in one pass. The ids and the ranges must be ascending. */
export function idsOutside(ids: readonly number[], ranges: IdRanges): number[] {
  let at = 0
  return ids.filter((id) => {
    for (let range = ranges[at]; range && range[1] < id; range = ranges[at]) at++
    const [first] = ranges[at] ?? [Number.POSITIVE_INFINITY]
    return id < first
  })
}
