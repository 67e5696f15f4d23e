import { type EndorsementTemplate, template } from './endorsement-template.ts'

/** Endorsements for sport and recreational pilots. */
export const sportAndRecreational: readonly EndorsementTemplate[] = [
  template(
    'A.17',
    'Sport pilot: knowledge test',
    '14 CFR 61.35(a)(1) and 61.309',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.309. I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.18',
    'Sport pilot: taking a proficiency check for another category or class',
    '14 CFR 61.309 and 61.311',
    '{{student}} has received the training of 14 CFR 61.309 and 61.311. I find them prepared for the {{categoryAndClass}} proficiency check.',
  ),
  template(
    'A.19',
    'Sport pilot: passing a proficiency check for another category or class',
    '14 CFR 61.309 and 61.311',
    '{{student}} has met 14 CFR 61.309 and 61.311 in a proficiency check with me on {{date}}. I find them proficient for the additional {{categoryAndClass}} privilege.',
  ),
  template(
    'A.20',
    'Sport pilot: taking the practical test',
    '14 CFR 61.309, 61.311 and 61.313',
    '{{student}} has received the training of 14 CFR 61.309 and 61.311 and meets the experience of 61.313. I find them prepared for the {{categoryAndClass}} practical test.',
  ),
  template(
    'A.21',
    'Sport pilot: passing the practical test',
    '14 CFR 61.309, 61.311 and 61.313',
    '{{student}} has met 14 CFR 61.309, 61.311 and 61.313 in a practical test with me on {{date}} for the {{categoryAndClass}} privilege.',
  ),
  template(
    'A.22',
    'Sport pilot: Class B, C or D airspace and towered airports',
    '14 CFR 61.325',
    '{{student}} has received the training of 14 CFR 61.325. I find them proficient to operate in Class B, C and D airspace and at airports with an operating control tower.',
  ),
  template(
    'A.23',
    'Sport pilot: light-sport aircraft with a VH of up to 87 knots',
    '14 CFR 61.327',
    '{{student}} has received the training of 14 CFR 61.327 in the {{makeAndModel}}. I find them proficient to act as pilot in command of a light-sport aircraft with a VH of 87 knots CAS or less.',
  ),
  template(
    'A.24',
    'Sport pilot: light-sport aircraft with a VH above 87 knots',
    '14 CFR 61.327',
    '{{student}} has received the training of 14 CFR 61.327 in the {{makeAndModel}}. I find them proficient to act as pilot in command of a light-sport aircraft with a VH above 87 knots CAS.',
  ),
  template(
    'A.25',
    'Recreational pilot: knowledge test',
    '14 CFR 61.35(a)(1), 61.96(b)(3) and 61.97(b)',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.97(b). I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.26',
    'Recreational pilot: practical test',
    '14 CFR 61.96(b)(5), 61.98 and 61.99',
    '{{student}} has received the training of 14 CFR 61.98(b) and 61.99. I find them prepared for the {{test}} practical test.',
  ),
  template(
    'A.27',
    'Recreational pilot: flights within 50 NM of the training airport',
    '14 CFR 61.101(b)',
    '{{student}} has received the training of 14 CFR 61.101(b). I find them competent to fly within 50 NM of {{airport}}.',
  ),
  template(
    'A.28',
    'Recreational pilot: cross-country flights beyond 50 NM',
    '14 CFR 61.101(c)',
    '{{student}} has received the cross-country training of 14 CFR part 61, subpart E, as 61.101(c) asks. I find them proficient in cross-country flying.',
  ),
  template(
    'A.29',
    'Recreational pilot: fewer than 400 hours and no pilot-in-command time in 180 days',
    '14 CFR 61.101(g)',
    '{{student}} has received the 180-day recurrent training of 14 CFR 61.101(g) in the {{makeAndModel}}. I find them proficient to act as pilot in command of it.',
  ),
  template(
    'A.30',
    'Recreational pilot: solo flight towards another certificate or rating',
    '14 CFR 61.101(j)',
    '{{student}} has received the training of 14 CFR 61.87 for the {{makeAndModel}}. I find them prepared for a solo flight on {{date}} towards an additional certificate or rating. Conditions: {{conditions}}.',
  ),
  template(
    'A.31',
    'Recreational pilot: Class B, C or D airspace and towered airports',
    '14 CFR 61.101(d)',
    '{{student}} has received the training of 14 CFR 61.101(d). I find them proficient to operate in Class B, C and D airspace and at airports with an operating control tower.',
  ),
]
