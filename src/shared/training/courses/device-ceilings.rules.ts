import type { deviceKinds } from '../../fleet/resources/resource.rules.ts'
import type { BasisPoints } from '../../platform/kernel/units.ts'

/** Full flight simulator, flight training device, advanced or basic aviation training device. */
export type DeviceKind = (typeof deviceKinds)[number]

/** The share of a minimum that these kinds of device may make up together. */
export interface DeviceCeiling {
  deviceKinds: DeviceKind[]
  bps: BasisPoints
}

/** The most that these kinds of device may make up together, in tenths of hours; null: devices of every kind, known or not. */
export interface DeviceLimit {
  deviceKinds: readonly DeviceKind[] | null
  most: number
}

/** Time in devices, in tenths of hours; `deviceKind` is empty where it is not known. */
export interface DeviceTime {
  deviceKind?: DeviceKind | null | undefined
  amount: number
}

/**
 * Returns how much time in devices counts under limits for some of their kinds and for all of them, in tenths of hours.
 * Of two limits either one has all the kinds of the other, or they share none. 14 CFR 61.65(i), (j); Part 141,
 * appendices B to D.
 */
export function creditedInDevices(times: readonly DeviceTime[], limits: readonly DeviceLimit[]): number {
  const narrowFirst = [...limits].sort((a, b) => widthOf(a) - widthOf(b))
  const counted = narrowFirst.reduce<Counted[]>(
    (groups, { deviceKinds, most }) => {
      const within = ({ kinds }: Counted) =>
        deviceKinds === null || kinds.some((kind) => kind && deviceKinds.includes(kind))
      const joined = groups.filter(within)
      const kinds = joined.flatMap((group) => group.kinds)
      const amount = Math.min(most, sumOf(joined))
      return [...groups.filter((group) => !within(group)), { kinds, amount }]
    },
    times.map(({ deviceKind, amount }) => ({ kinds: [deviceKind ?? null], amount })),
  )
  return sumOf(counted)
}

interface Counted {
  kinds: readonly (DeviceKind | null)[]
  amount: number
}

function widthOf({ deviceKinds }: DeviceLimit): number {
  return deviceKinds?.length ?? Number.POSITIVE_INFINITY
}

function sumOf(groups: readonly { amount: number }[]): number {
  return groups.reduce((sum, { amount }) => sum + amount, 0)
}
