import { deviceKinds } from '../../fleet/resources/resource.rules.ts'
import { type BasisPoints, basisPoints, type Tenths, tenths } from '../../platform/kernel/units.ts'

/** The kinds of device: full flight simulator, flight training device, advanced and basic aviation training device. */
export type DeviceKind = (typeof deviceKinds)[number]

/** A ceiling: time in these kinds of device together counts for at most `bps` (basis points) of a minimum. */
export interface DeviceCeiling {
  deviceKinds: DeviceKind[]
  bps: BasisPoints
}

/**
 * The most time in these kinds of device together that counts, in tenths of hours. Null kinds: devices of every kind,
 * also of an unknown kind.
 */
export interface DeviceLimit {
  deviceKinds: readonly DeviceKind[] | null
  most: number
}

/** Time in devices, in tenths of hours; `deviceKind` is null or absent when it is not known. */
export interface DeviceTime {
  deviceKind?: DeviceKind | null | undefined
  amount: number
}

/**
 * Returns how much of the time in devices counts under all the limits, in tenths of hours. The limits must be nested:
 * of any two, one has all the kinds of the other, or they share no kind. 14 CFR 61.65(i), (j); Part 141, appendices B
 * to D; docs/decisions/0021.
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

/** The appendices of 14 CFR Part 141 that the service supports: private, instrument, commercial. */
export const appendices = ['b', 'c', 'd'] as const
export type Appendix = (typeof appendices)[number]

const share = (percent: number, ...kinds: DeviceKind[]): DeviceCeiling => ({
  deviceKinds: kinds,
  bps: basisPoints(percent * 100),
})

/**
 * The total flight training that an appendix requires, in tenths of hours, and its ceilings for devices as shares of
 * it.
 */
export const appendixTerms: Readonly<Record<Appendix, { total: Tenths; ceilings: readonly DeviceCeiling[] }>> = {
  b: {
    total: tenths(350),
    ceilings: [share(20, 'ffs'), share(15, 'ftd', 'aatd'), share(15, 'batd'), share(20, ...deviceKinds)],
  },
  c: {
    total: tenths(350),
    ceilings: [
      share(50, 'ffs'),
      share(40, 'ftd', 'aatd'),
      share(25, 'batd'),
      share(40, 'ftd', 'aatd', 'batd'),
      share(50, ...deviceKinds),
    ],
  },
  d: {
    total: tenths(1200),
    ceilings: [share(30, 'ffs'), share(20, 'ftd', 'aatd'), share(0, 'batd'), share(30, ...deviceKinds)],
  },
}

/** The ceilings of a version of a course, and the appendix under which it is approved; null for no appendix. */
export interface CourseCeilings {
  deviceCeilings: readonly DeviceCeiling[]
  appendix: Appendix | null
}

/**
 * Returns one limit per ceiling of a course, in tenths of hours, rounded down: a share of `total`, the flight training
 * of the course, or of the total of the appendix when that is less. A ceiling for all kinds also limits time in devices
 * of an unknown kind. 14 CFR 141 Appendices B to D.
 */
export function courseDeviceLimits({ deviceCeilings, appendix }: CourseCeilings, total: Tenths): DeviceLimit[] {
  const least = appendix === null ? total : Math.min(total, appendixTerms[appendix].total)
  return deviceCeilings.map(({ deviceKinds: kinds, bps }) => ({
    deviceKinds: kinds.length === deviceKinds.length ? null : kinds,
    most: Math.floor((least * bps) / WHOLE),
  }))
}

/**
 * Returns whether ceilings are nested: of any two, one has all the kinds of the other, or they share no kind.
 * Implements interface §Training: PUT deviceCeilings.
 */
export function areNested(ceilings: readonly DeviceCeiling[]): boolean {
  return ceilings.every(({ deviceKinds: one }, i) =>
    ceilings.every(({ deviceKinds: other }, j) => {
      const shared = one.filter((kind) => other.includes(kind)).length
      return i === j || shared === 0 || shared === one.length || shared === other.length
    }),
  )
}

/**
 * How a limit applies to the time in its kinds of device, in tenths of hours: what is allowed, counted and not counted.
 */
export interface DeviceUse {
  deviceKinds: readonly DeviceKind[]
  allowed: number
  credited: number
  disallowed: number
}

/**
 * Returns, for each limit, how much time in its kinds of device counts and how much does not. Narrower limits for some
 * of these kinds apply first. Implements interface §Training: GET /training/enrollments/{enrollmentId}.
 */
export function deviceUse(times: readonly DeviceTime[], limits: readonly DeviceLimit[]): DeviceUse[] {
  return limits.map((limit) => {
    const within = (kinds: readonly (DeviceKind | null)[]) =>
      limit.deviceKinds === null || kinds.every((kind) => kind !== null && limit.deviceKinds?.includes(kind))
    const own = times.filter(({ deviceKind }) => within([deviceKind ?? null]))
    const inner = limits.filter(({ deviceKinds: kinds }) => within(kinds ?? [null]))
    const credited = creditedInDevices(own, inner)
    return {
      deviceKinds: limit.deviceKinds ?? deviceKinds,
      allowed: limit.most,
      credited,
      disallowed: sumOf(own) - credited,
    }
  })
}

const WHOLE = 10_000

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
