import type { Address, Agent, Service, Shipment } from '@waybill/client';

type Found = Shipment & { readonly agents?: readonly Agent[]; readonly services?: readonly Service[] };

/** Where a shipment has the words that were searched for, in words for people. The service decides what is found; this explains it. */
export function placesOf(shipment: Found, searched: string): string[] {
  const words = wordsOf(searched);
  return Object.entries(textsOf(shipment)).flatMap(([place, texts]) => {
    const own = wordsOf(texts.filter((text) => typeof text === 'string').join(' '));
    return words.some((word) => own.some((each) => each.startsWith(word))) ? [place] : [];
  });
}

function textsOf(shipment: Found): Record<string, readonly (string | null | undefined)[]> {
  const { agents = [], services = [], move } = shipment;
  return {
    Code: [shipment.shipmentCode],
    Order: [move?.orderID],
    Type: [shipment.shipmentType],
    From: linesOf(shipment.pickupAddress),
    To: linesOf(shipment.destinationAddress),
    Remarks: [shipment.customerRemarks, shipment.rejectionReason, move?.remarks],
    Agent: agents.flatMap(({ firstName, lastName, email, phone }) => [
      firstName,
      lastName,
      email,
      phone,
      phone?.replace(/\D/g, ''),
    ]),
    Service: services.map(({ code }) => code),
  };
}

function linesOf(address: Address | null): readonly (string | null)[] {
  if (address === null) return [];
  const { streetAddress1, streetAddress2, streetAddress3, city, state, postalCode, country } = address;
  return [streetAddress1, streetAddress2, streetAddress3, city, state, postalCode, country];
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** The words of a text, nearly as the service compares them. */
function wordsOf(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? letter);
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
