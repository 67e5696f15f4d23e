import type { Cents } from '../kernel/units.ts'

/** The settings that are controls of money. A less strict value applies only after a delay. */
interface ControlSettings {
  refundApprovalCents: Cents | null
  minimumBalanceCents: Cents
  prepaidBy: 'staff' | 'anyone'
}

export type ControlKey = keyof ControlSettings

/** A less strict value of a control, and the instant from which it applies (ISO 8601). */
export interface Upcoming {
  key: ControlKey
  value: ControlSettings[ControlKey]
  from: string
}

interface GuardingSettings extends ControlSettings {
  upcoming: Upcoming[]
}

/** Hours until a less strict value of a control applies. */
export const LOOSENED_AFTER_HOURS = 24

/**
 * For each control of money, whether a change makes it less strict. Such a change applies only after `LOOSENED_AFTER_HOURS`,
 * so that an owner can object. Prices, taxes, terms of payment and invoicing are not controls: they decide what is owed, not
 * who may take or give money.
 */
const loosens: { [Key in ControlKey]: (before: ControlSettings[Key], after: ControlSettings[Key]) => boolean } = {
  /** The largest refund that needs no approval. */
  refundApprovalCents: (before, after) => before !== null && (after === null || after > before),
  /** How much members can fly and buy on credit. */
  minimumBalanceCents: (before, after) => after < before,
  /** Who can set the price of a prepaid booking. */
  prepaidBy: (before, after) => before === 'staff' && after === 'anyone',
}

export const controlKeys = Object.keys(loosens) as ControlKey[]

/** A control that becomes less strict, and the instant from which it does. */
export interface Loosened {
  key: ControlKey
  from: Date
}

/** The controls that apply after a change, and those that the change makes less strict. */
export interface HeldBack {
  settings: GuardingSettings
  loosened: Loosened[]
}

/**
 * Decides which values of the controls apply after a change of settings. A less strict value waits in `upcoming` for
 * `LOOSENED_AFTER_HOURS`, and the old value applies until then; the same value, sent again, does not restart the wait. Any
 * other value applies now and cancels a waiting one. Only the settings in `named` change.
 * Implements interface §Organizations.
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

/** Returns the controls with every due value of `upcoming` applied; null when none is due. */
export function dueSettings(before: GuardingSettings, now: Date): GuardingSettings | null {
  const isDue = ({ from }: Upcoming) => new Date(from) <= now
  const due = before.upcoming.filter(isDue)
  if (due.length === 0) return null
  const values = Object.fromEntries(due.map(({ key, value }) => [key, value]))
  return { ...controlsOf(before), ...values, upcoming: before.upcoming.filter((one) => !isDue(one)) }
}

/** Returns only the settings that control money, with their upcoming values. */
export function controlsOf({
  refundApprovalCents,
  minimumBalanceCents,
  prepaidBy,
  upcoming,
}: GuardingSettings): GuardingSettings {
  return { refundApprovalCents, minimumBalanceCents, prepaidBy, upcoming }
}
