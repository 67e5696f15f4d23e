import type { DocumentCategory } from '../../platform/authz/rule-settings.ts'
import type { RuleKey } from './rule-catalogue.rules.ts'

/**
 * An override that the caller gives: of a rule, or of all currencies; for one person, or for everyone on the booking.
 */
export interface GivenOverride {
  rule: string
  orgUserId: number | null
  reason: string
  /** The document of that person that shows the paper which was seen; absent or null: none. */
  documentId?: number | null | undefined
}

/** A stored override, with the resource and start of the booking when the override was made. */
export interface KeptOverride {
  rule: RuleKey
  orgUserId: number | null
  resourceId: number | null
  startsAt: Date
  reason: string
  by: { orgUserId: number; name: string }
  at: Date
  documentId?: number | null | undefined
  /** Whether a document showed the paper, also one that was deleted since. */
  hasPaper?: boolean
}

/** The overrides that apply to a check: `given` by this request, and `kept` from earlier ones. */
export interface Overrides {
  given: readonly GivenOverride[]
  kept: readonly KeptOverride[]
  /** The documents that `given` names, by id; those that the organization does not have are absent, and so are all when none is named. */
  papers?: ReadonlyMap<number, PaperFacts>
}

/** A document that is named with an override. */
export interface PaperFacts {
  /** Null for a document of the organization. */
  orgUserId: number | null
  category: DocumentCategory
  /** Whether its file has arrived. */
  stored: boolean
  rejected: boolean
  expiresAt: Date | null
  uploadedBy: number
  verifiedBy: number | null
}

export const noOverrides: Overrides = { given: [], kept: [] }
