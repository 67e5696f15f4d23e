/** What blocks a booking: a rule, and whom it is about. */
export interface Block {
  rule: string
  orgUserId?: number | undefined
}

/** The people who pay for a booking, and those of them who have changed their own papers since it was made. */
export interface PayingSide {
  orgUserIds: readonly number[]
  changedPapers: ReadonlySet<number>
}

/** The rules about papers that people change themselves; a currency has a key of its own. */
const paperRules: readonly string[] = ['documents', 'pilot_rating', 'pilot_minimums', 'citizenship']

/**
 * Returns whether a block comes from the side that pays: its own time off or availability, or its own papers once it has changed them. It
 * excuses nobody from a fee.
 */
export function isOwnBlock({ rule, orgUserId }: Block, { orgUserIds, changedPapers }: PayingSide): boolean {
  if (orgUserId === undefined || !orgUserIds.includes(orgUserId)) return false
  if (rule === 'availability') return true
  return (rule.startsWith('currency:') || paperRules.includes(rule)) && changedPapers.has(orgUserId)
}

/** Returns whether one of these rules, which block a booking, stands for anything but blocks of the side that pays. */
export function blocksOtherwise(
  { rules, findings }: { rules: readonly string[]; findings: readonly Block[] },
  side: PayingSide,
): boolean {
  return rules.some((rule) => {
    // Beside it stands the key of each currency.
    if (rule === 'currency') return false
    const about = findings.filter((one) => one.rule === rule)
    return about.length === 0 || about.some((one) => !isOwnBlock(one, side))
  })
}
