import { type EndorsementTemplate, template } from './endorsement-template.ts'

/** Knowledge and practical tests for the private, commercial and airline transport certificates and the instrument rating. */
export const certificateTests: readonly EndorsementTemplate[] = [
  template(
    'A.32',
    'Private pilot: knowledge test',
    '14 CFR 61.35(a)(1), 61.103(d) and 61.105',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.105. I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.33',
    'Private pilot: practical test',
    '14 CFR 61.103(f), 61.107(b) and 61.109',
    '{{student}} has received the training of 14 CFR 61.107(b) and 61.109. I find them prepared for the {{test}} practical test.',
  ),
  template(
    'A.34',
    'Commercial pilot: knowledge test',
    '14 CFR 61.35(a)(1), 61.123(c) and 61.125',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.125. I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.35',
    'Commercial pilot: practical test',
    '14 CFR 61.123(e), 61.127 and 61.129',
    '{{student}} has received the training of 14 CFR 61.127 and 61.129. I find them prepared for the {{test}} practical test.',
  ),
  template(
    'A.36',
    'Restricted airline transport pilot: graduate of an institution',
    '14 CFR 61.160',
    '{{institution}} certifies that {{student}} graduated on {{date}} with a degree in aviation and has completed the coursework that qualifies for {{flightHours}} hours of flight time under 14 CFR 61.160.',
  ),
  template(
    'A.37',
    'Airline transport pilot: certification training program',
    '14 CFR 61.153(e)',
    '{{student}} has completed the airplane airline transport pilot certification training program of 14 CFR 61.156 on {{date}}.',
  ),
  template(
    'A.38',
    'Instrument rating: knowledge test',
    '14 CFR 61.35(a)(1) and 61.65(a) and (b)',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.65(b). I find them prepared for the instrument {{category}} knowledge test.',
  ),
  template(
    'A.39',
    'Instrument rating: practical test',
    '14 CFR 61.65(a)(6)',
    '{{student}} has received the training of 14 CFR 61.65(c) and (d). I find them prepared for the instrument {{category}} practical test.',
  ),
  template(
    'A.40',
    'Instrument rating: prerequisites for the practical test',
    '14 CFR 61.39(a)',
    'Within the 2 calendar months before the month of application, {{student}} has received and logged training for the instrument {{category}} practical test from me, and has shown satisfactory knowledge of the subjects in which the knowledge test found them deficient.',
  ),
]
