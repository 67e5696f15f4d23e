import type { Cents } from '../kernel/units.ts'

/** The settings that are controls of money. */
interface ControlSettings {
  refundApprovalCents: Cents | null
  minimumBalanceCents: Cents
  prepaidBy: 'staff' | 'anyone'
}

export type ControlKey = keyof ControlSettings

/** A looser value of a control that holds from an instant on (ISO 8601). */
export interface Upcoming {
  key: ControlKey
  value: ControlSettings[ControlKey]
  from: string
}

interface GuardingSettings extends ControlSettings {
  upcoming: Upcoming[]
}

/** Hours until a loosened control holds. */
export const LOOSENED_AFTER_HOURS = 24

/**
 * The controls of money, and which change of each loosens it: it holds a day later, so that an owner can object. Prices, taxes, terms of
 * payment and who is invoiced when are no controls: they say what is owed, not who may take or give it.
 */
const loosens: { [Key in ControlKey]: (before: ControlSettings[Key], after: ControlSettings[Key]) => boolean } = {
  /** What an admin gives back alone. */
  refundApprovalCents: (before, after) => before !== null && (after === null || after > before),
  /** How much members fly and buy on credit. */
  minimumBalanceCents: (before, after) => after < before,
  /** Who sets the price of a booking. */
  prepaidBy: (before, after) => before === 'staff' && after === 'anyone',
}

export const controlKeys = Object.keys(loosens) as ControlKey[]

/** A control that was loosened, and from when on that holds. */
export interface Loosened {
  key: ControlKey
  from: Date
}

/** The controls that hold after a change, and what of it loosens one. */
export interface HeldBack {
  settings: GuardingSettings
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
  const from = new Date(now.getTime() + LOOSENED_AFTER_HOURS * 3_600_000)
  const held: HeldBack = { settings: controlsOf(before), loosened: [] }
  for (const key of controlKeys.filter((one) => named.includes(one))) {
    const waits = before.upcoming.find((one) => one.key === key && one.value === after[key])
    const isLoosened = isLooser(key, before, after)
    if (isLoosened && waits) continue
    held.settings.upcoming = held.settings.upcoming.filter((one) => one.key !== key)
    if (!isLoosened) {
      Object.assign(held.settings, { [key]: after[key] })
      continue
    }
    held.settings.upcoming.push({ key, value: after[key], from: from.toISOString() })
    held.loosened.push({ key, from })
  }
  return held
}

function isLooser<Key extends ControlKey>(key: Key, before: ControlSettings, after: ControlSettings): boolean {
  return loosens[key](before[key], after[key])
}

/** Returns the controls once what waits and is due holds; null when nothing is due. */
export function dueSettings(before: GuardingSettings, now: Date): GuardingSettings | null {
  const isDue = ({ from }: Upcoming) => new Date(from) <= now
  const due = before.upcoming.filter(isDue)
  if (due.length === 0) return null
  const values = Object.fromEntries(due.map(({ key, value }) => [key, value]))
  return { ...controlsOf(before), ...values, upcoming: before.upcoming.filter((one) => !isDue(one)) }
}

/** Returns of the settings those that control money. */
export function controlsOf({
  refundApprovalCents,
  minimumBalanceCents,
  prepaidBy,
  upcoming,
}: GuardingSettings): GuardingSettings {
  return { refundApprovalCents, minimumBalanceCents, prepaidBy, upcoming }
}
