export const certificateKinds = ['enrollment', 'graduation'] as const
export type CertificateKind = (typeof certificateKinds)[number]

/** Returns the number of a certificate as it is printed: E-7 of enrollment, G-7 of graduation. */
export function certificateNumber(kind: CertificateKind, number: number): string {
  return `${kind === 'enrollment' ? 'E' : 'G'}-${number}`
}
