import { type EndorsementTemplate, template } from './endorsement-template.ts'

const SOLO_DAYS = 90

/** Endorsements for practical tests in general, and for student pilots. */
export const studentPilots: readonly EndorsementTemplate[] = [
  template(
    'A.1',
    'Prerequisites for a practical test',
    '14 CFR 61.39(a)(6)(i) and (ii)',
    'Within the 2 calendar months before the month of application, {{student}} has received and logged training for the {{test}} practical test from me. I find them prepared for that test.',
  ),
  template(
    'A.2',
    'Review of deficiencies on the knowledge test',
    '14 CFR 61.39(a)(6)(iii)',
    '{{student}} has shown me satisfactory knowledge of the subjects in which the {{test}} knowledge test found them deficient.',
  ),
  template(
    'A.3',
    'Pre-solo aeronautical knowledge',
    '14 CFR 61.87(b)',
    '{{student}} has completed the pre-solo knowledge test of 14 CFR 61.87(b) for the {{makeAndModel}} with a satisfactory result, and I have reviewed every wrong answer with them.',
  ),
  template(
    'A.4',
    'Pre-solo flight training',
    '14 CFR 61.87(c)(1) and (2)',
    'I have given {{student}} the pre-solo flight training of 14 CFR 61.87 in the {{makeAndModel}}. They have shown satisfactory proficiency and safety in the required maneuvers and procedures.',
  ),
  template(
    'A.5',
    'Pre-solo flight training at night',
    '14 CFR 61.87(o)',
    'I have given {{student}} flight training at night, in the traffic pattern and in the vicinity of {{airport}}, in the {{makeAndModel}}. I find them proficient to fly solo at night there.',
    SOLO_DAYS,
  ),
  template(
    'A.6',
    'Solo flight, first 90 days',
    '14 CFR 61.87(n)',
    '{{student}} has received the training that solo flight in the {{makeAndModel}} requires and has met 14 CFR 61.87. I find them prepared for solo flight in it. Limitations: {{limitations}}.',
    SOLO_DAYS,
  ),
  template(
    'A.7',
    'Solo flight, each further 90 days',
    '14 CFR 61.87(p)',
    '{{student}} has received training for continued solo flight in the {{makeAndModel}} and meets 14 CFR 61.87(p). I find them prepared for further solo flight in it. Limitations: {{limitations}}.',
    SOLO_DAYS,
  ),
  template(
    'A.8',
    'Solo takeoffs and landings at another airport within 25 NM',
    '14 CFR 61.93(b)(1)',
    'I have flown with {{student}} between {{airport}} and {{otherAirport}}, in both directions, with takeoffs and landings at {{otherAirport}}. I find them proficient to practice solo takeoffs and landings there. Conditions: {{conditions}}.',
  ),
  template(
    'A.9',
    'Solo cross-country flight, training',
    '14 CFR 61.93(c)(1) and (2)',
    '{{student}} has received the solo cross-country training of 14 CFR 61.93 in the {{categoryAndClass}} and specifically in the {{makeAndModel}}. I find them prepared for solo cross-country flight in it.',
  ),
  template(
    'A.10',
    'Solo cross-country flight, review of the planning',
    '14 CFR 61.93(c)(3)',
    'I have reviewed the cross-country planning of {{student}}. The planning and preparation are correct for a solo flight on {{date}} from {{airport}} by way of {{route}} in the {{makeAndModel}}. Conditions: {{conditions}}.',
  ),
  template(
    'A.11',
    'Repeated solo cross-country flights of not more than 50 NM',
    '14 CFR 61.93(b)(2)',
    'I have trained {{student}} in both directions over the route between {{airport}} and {{otherAirport}}, with its entry and exit procedures. I find them proficient for repeated solo flights over it. Conditions: {{conditions}}.',
  ),
  template(
    'A.12',
    'Solo flight in Class B airspace',
    '14 CFR 61.95(a)',
    '{{student}} has received ground and flight training for solo flight in the {{airspace}} Class B airspace from me. I find them proficient to fly solo in it.',
    SOLO_DAYS,
  ),
  template(
    'A.13',
    'Solo flight to, from or at an airport in Class B airspace',
    '14 CFR 61.95(b) and 91.131(b)(1)',
    '{{student}} has received ground and flight training for solo operations at {{airport}}, in Class B airspace, from me. I find them proficient to operate solo there.',
    SOLO_DAYS,
  ),
  template(
    'A.14',
    'United States citizenship or nationality',
    '49 CFR part 1552',
    '{{student}} has shown me {{document}}, which establishes that they are a citizen or national of the United States as the rules on security of flight training ask.',
  ),
  template(
    'A.15',
    'Solo flight in Class B, C and D airspace, sport or recreational student',
    '14 CFR 61.94(a)',
    '{{student}} has received the training of 14 CFR 61.94(a). I find them proficient to fly solo in the {{airspace}} airspace and to use the radio as air traffic control there requires.',
  ),
  template(
    'A.16',
    'Solo flight to, from or at a towered airport, sport or recreational student',
    '14 CFR 61.94(a) and 91.131(b)(1)',
    '{{student}} has received the training of 14 CFR 61.94(a) for {{airport}}. I find them proficient to fly solo to, from and at that airport.',
  ),
]
