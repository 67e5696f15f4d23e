import { type EndorsementTemplate, template } from './endorsement-template.ts'

/** Endorsements for flight and ground instructors. */
export const instructors: readonly EndorsementTemplate[] = [
  template(
    'A.41',
    'Flight instructor: fundamentals of instructing test',
    '14 CFR 61.183(d)',
    '{{student}} has received the training in the fundamentals of instructing of 14 CFR 61.185(a)(1). I find them prepared for that knowledge test.',
  ),
  template(
    'A.42',
    'Flight instructor: knowledge test',
    '14 CFR 61.183(f)',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.185(a)({{paragraph}}). I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.43',
    'Flight instructor: practical test',
    '14 CFR 61.183(g)',
    '{{student}} has received the training of 14 CFR 61.187(b). I find them prepared for the flight instructor {{categoryAndClass}} practical test.',
  ),
  template(
    'A.44',
    'Flight instructor, instrument: practical test',
    '14 CFR 61.183(g) and 61.187',
    '{{student}} has received the training of 14 CFR 61.187(b)(7). I find them prepared for the flight instructor instrument {{category}} practical test.',
  ),
  template(
    'A.45',
    'Flight instructor: spin training',
    '14 CFR 61.183(i)(1)',
    '{{student}} has received flight training in stall awareness, spin entry, spins and spin recovery from me in the {{makeAndModel}}, which is certificated for spins. I find them competent to instruct in these subjects.',
  ),
  template(
    'A.46',
    'Flight instructor, helicopter: touchdown autorotation',
    'FAA-S-8081-7',
    '{{student}} has received training in straight-in and 180° touchdown autorotations from me in the {{makeAndModel}}. I find them competent to instruct in them.',
  ),
  template(
    'A.47',
    'Sport pilot instructor: fundamentals of instructing test',
    '14 CFR 61.405(a)(1)',
    '{{student}} has received the training in the fundamentals of instructing of 14 CFR 61.405(a)(1). I find them prepared for that knowledge test.',
  ),
  template(
    'A.48',
    'Sport pilot instructor: knowledge test',
    '14 CFR 61.35(a)(1) and 61.405(a)',
    '{{student}} has received the training in aeronautical knowledge of 14 CFR 61.405(a)(2). I find them prepared for the {{test}} knowledge test.',
  ),
  template(
    'A.49',
    'Sport pilot instructor: taking a proficiency check for another category or class',
    '14 CFR 61.409 and 61.419',
    '{{student}} has received the training of 14 CFR 61.409 and 61.419. I find them prepared for a proficiency check for the instructor privilege in {{categoryAndClass}}.',
  ),
  template(
    'A.50',
    'Sport pilot instructor: passing a proficiency check for another category or class',
    '14 CFR 61.409 and 61.419',
    '{{student}} has met 14 CFR 61.409 and 61.419 in a proficiency check with me on {{date}}. I find them proficient for the instructor privilege in {{categoryAndClass}}.',
  ),
  template(
    'A.51',
    'Sport pilot instructor: taking the practical test',
    '14 CFR 61.409 and 61.411',
    '{{student}} has received the training of 14 CFR 61.409 and meets the experience of 61.411. I find them prepared for the {{categoryAndClass}} practical test.',
  ),
  template(
    'A.52',
    'Sport pilot instructor: passing the practical test',
    '14 CFR 61.409 and 61.411',
    '{{student}} has met 14 CFR 61.409 and 61.411 in a practical test with me on {{date}} for the instructor privilege in {{categoryAndClass}}.',
  ),
  template(
    'A.53',
    'Sport pilot instructor: flight solely by reference to instruments',
    '14 CFR 61.412',
    'I have given {{student}} the ground and flight training of 14 CFR 61.412 in flight solely by reference to instruments. I find them proficient to give training in it.',
  ),
  template(
    'A.54',
    'Sport pilot instructor: spin training',
    '14 CFR 61.405(b)(1)(ii)',
    '{{student}} has received training in stall awareness, spin entry, spins and spin recovery from me in the {{makeAndModel}}. I find them competent to instruct in these subjects.',
  ),
  template(
    'A.55',
    'Ground instructor without recent experience',
    '14 CFR 61.217(d)',
    '{{student}} has shown me satisfactory knowledge in the subjects of 14 CFR 61.213(a)(3) and (4) for the {{certificateGrade}} ground instructor certificate.',
  ),
]
