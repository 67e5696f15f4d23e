import { endorsementTemplates } from './endorsement-template.ts'

const experimentalOnly = {
  subject: 'further_privileges',
  signer: 'flight_instructor',
  parameters: ['category', 'class'],
} as const

/**
 * Endorsements of AC 61-65H that AC 61-65K does not have: 14 CFR 61.63(h)(3) requires time flown between 2004 and 2005.
 */
export const withdrawn = endorsementTemplates([
  {
    ...experimentalOnly,
    code: 'A.83',
    title: 'Experimental aircraft only: additional category or class',
    rules: ['14 CFR 61.63(h)'],
    text: '{{student}} has the experience of 14 CFR 61.63(h) for {{category}} {{class}}, limited to experimental aircraft. I find them proficient in it.',
  },
  {
    ...experimentalOnly,
    code: 'A.84',
    title: 'Experimental aircraft only: additional rating, airline transport pilot',
    rules: ['14 CFR 61.165'],
    text: '{{student}} has the experience of 14 CFR 61.165 for {{category}} {{class}}, limited to experimental aircraft. I find them proficient in it.',
  },
])
