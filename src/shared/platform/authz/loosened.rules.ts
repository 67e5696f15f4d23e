import type { Cents } from '../kernel/units.ts'

/** The settings of an organization that guard money. */
interface GuardingSettings {
  refundApprovalCents: Cents | null
  minimumBalanceCents: Cents
  prepaidBy: 'staff' | 'anyone'
  /** Looser values that hold from an instant on (ISO 8601). */
  upcoming: { key: 'refundApprovalCents'; value: Cents | null; from: string }[]
}

/** Hours until a loosened control holds. */
export const LOOSENED_AFTER_HOURS = 24

type Of<Key extends keyof GuardingSettings> = (before: GuardingSettings[Key], after: GuardingSettings[Key]) => boolean

/** The controls that hold admins themselves: one that is loosened holds a day later, so that an owner can object. */
const controls: { refundApprovalCents: Of<'refundApprovalCents'> } = {
  refundApprovalCents: (before, after) => before !== null && (after === null || after > before),
}

/** The settings that guard money against members: loosened, they hold at once. */
const guards: { minimumBalanceCents: Of<'minimumBalanceCents'>; prepaidBy: Of<'prepaidBy'> } = {
  minimumBalanceCents: (before, after) => after < before,
  prepaidBy: (before, after) => before === 'staff' && after === 'anyone',
}

/** A setting that was loosened, and from when that holds; null: from now on. */
export interface Loosened {
  key: keyof typeof controls | keyof typeof guards
  from: Date | null
}

/** The settings that hold after a change, and what of it loosens a control. */
export interface HeldBack {
  settings: Pick<GuardingSettings, 'refundApprovalCents' | 'upcoming'>
  loosened: Loosened[]
}

/**
 * Decides what of a change of settings holds now. A control that is loosened keeps its value for a day, and the new one
 * waits in `upcoming`; one that is tightened holds at once, and what waited for it is dropped. The same loosening, sent
 * again, keeps its time. `named`: the settings that the change names. Implements interface §Organizations.
 */
export function holdBack(
  before: GuardingSettings,
  after: GuardingSettings,
  named: readonly string[],
  now: Date,
): HeldBack {
  const open = (['minimumBalanceCents', 'prepaidBy'] as const).filter((key) => isLooser(key, before, after))
  const loosened: Loosened[] = open.map((key) => ({ key, from: null }))
  const key = 'refundApprovalCents'
  if (!named.includes(key)) return { settings: before, loosened }
  const others = before.upcoming.filter((one) => one.key !== key)
  if (!controls[key](before[key], after[key])) return { settings: { [key]: after[key], upcoming: others }, loosened }
  const waits = before.upcoming.find((one) => one.key === key && one.value === after[key])
  if (waits) return { settings: before, loosened }
  const from = new Date(now.getTime() + LOOSENED_AFTER_HOURS * 3_600_000)
  const upcoming = [...others, { key, value: after[key], from: from.toISOString() } as const]
  return { settings: { [key]: before[key], upcoming }, loosened: [...loosened, { key, from }] }
}

function isLooser(key: keyof typeof guards, before: GuardingSettings, after: GuardingSettings): boolean {
  return key === 'prepaidBy'
    ? guards.prepaidBy(before.prepaidBy, after.prepaidBy)
    : guards.minimumBalanceCents(before.minimumBalanceCents, after.minimumBalanceCents)
}

/** Returns the settings once what waits and is due holds; null when nothing is due. */
export function dueSettings(
  before: GuardingSettings,
  now: Date,
): Pick<GuardingSettings, 'refundApprovalCents' | 'upcoming'> | null {
  const isDue = ({ from }: { from: string }) => new Date(from) <= now
  const due = before.upcoming.filter(isDue)
  if (due.length === 0) return null
  const { value } = due.at(-1)!
  return { refundApprovalCents: value, upcoming: before.upcoming.filter((one) => !isDue(one)) }
}
