import type { ItemGroup, JudgedTest } from './readiness.types.ts'

/**
 * The rule of each item, cited once. `fromMemory`: nobody has compared it with the text of the regulation; its item is
 * said to be unverified, is at most unknown, and never makes a verdict `not_ready`.
 */
export interface Citation {
  group: ItemGroup
  /** For all tests, or for each test that asks for the item. */
  rule: string | Partial<Record<JudgedTest, string>>
  fromMemory?: true
}

const experience = {
  private: '14 CFR 61.109(a)',
  instrument: '14 CFR 61.65(d)',
  commercial: '14 CFR 61.129(a)',
  cfi: '14 CFR 61.183(i), (j)',
}

const prerequisites = '14 CFR 61.39(a)(6)(i)'

/** The items by the first part of their keys, or by the whole key where its rule is of its own. */
export const citations = {
  test_rules: { group: 'tests', rule: '14 CFR 61.39' },
  age: {
    group: 'person',
    rule: { private: '14 CFR 61.103(a)', commercial: '14 CFR 61.123(a)', cfi: '14 CFR 61.183(a)' },
  },
  identity: { group: 'person', rule: '14 CFR 61.3(a)(2)' },
  certificate_held: {
    group: 'person',
    rule: {
      private: '14 CFR 61.103(j)',
      instrument: '14 CFR 61.65(a)(1)',
      commercial: '14 CFR 61.123(h), 61.133(b)(1)',
      cfi: '14 CFR 61.183(c)',
    },
  },
  medical: { group: 'person', rule: '14 CFR 61.39(a)(4), 61.23' },
  knowledge_test: { group: 'tests', rule: '14 CFR 61.39(a)(1)' },
  retest: { group: 'tests', rule: '14 CFR 61.49(a)' },
  experience: { group: 'experience', rule: experience },
  'experience:graduation': { group: 'experience', rule: '14 CFR 61.71(a), 141.77' },
  'endorsement:A.1': { group: 'endorsements', rule: prerequisites },
  'endorsement:A.44': { group: 'endorsements', rule: prerequisites },
  'endorsement:A.2': { group: 'endorsements', rule: '14 CFR 61.39(a)(6)(iii)' },
  'endorsement:A.37': { group: 'endorsements', rule: '14 CFR 61.103(f)' },
  'endorsement:A.43': { group: 'endorsements', rule: '14 CFR 61.65(a)(6)' },
  'endorsement:A.39': { group: 'endorsements', rule: '14 CFR 61.123(e)' },
  'endorsement:A.47': { group: 'endorsements', rule: '14 CFR 61.183(g)' },
  'endorsement:A.49': { group: 'endorsements', rule: '14 CFR 61.183(i)(1)' },
  solo_chain: { group: 'endorsements', rule: '14 CFR 61.87, 61.93' },
  record: { group: 'record', rule: 'school; 14 CFR 141.77' },
  aircraft: { group: 'aircraft', rule: '14 CFR 61.45' },
  'aircraft:annual': { group: 'aircraft', rule: '14 CFR 91.409(a)' },
  'aircraft:hundred_hour': { group: 'aircraft', rule: '14 CFR 91.409(b)' },
  'aircraft:elt': { group: 'aircraft', rule: '14 CFR 91.207(d)' },
  'aircraft:transponder': { group: 'aircraft', rule: '14 CFR 91.413' },
  'aircraft:altimeter': { group: 'aircraft', rule: '14 CFR 91.411' },
  'aircraft:vor': { group: 'aircraft', rule: '14 CFR 91.171' },
  'aircraft:registration': { group: 'aircraft', rule: '14 CFR 91.203(a)(2)' },
  'aircraft:airworthiness': { group: 'aircraft', rule: '14 CFR 91.203(a)(1)' },
  'aircraft:weight_and_balance': { group: 'aircraft', rule: '14 CFR 91.9' },
  'aircraft:poh': { group: 'aircraft', rule: '14 CFR 91.9' },
  'aircraft:deferral': { group: 'aircraft', rule: '14 CFR 91.213(d)' },
} as const satisfies Readonly<Record<string, Citation>>

/** The citations by their keys. */
export type Citations = Readonly<Record<keyof typeof citations, Citation>>

/** Returns the citation of an item: by its whole key, or else by the first part of it. */
export function citationOf(key: string, all: Citations = citations): Citation {
  const [first = key] = key.split(':')
  const known = all as Readonly<Record<string, Citation>>
  const citation = known[key] ?? known[first]
  if (!citation) throw new RangeError(`${key} has no citation`)
  return citation
}
