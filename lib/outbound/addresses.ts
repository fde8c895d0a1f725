import { BlockList, isIPv4 } from "node:net";

/**
 * What is not the internet: IANA's special-purpose addresses (https://www.iana.org/assignments/iana-ipv4-special-registry) that are not reachable
 * from everywhere, multicast, and what is reserved.
 */
const NOT_PUBLIC_IPV4: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Looks public, and is what Azure tells its machines their secrets from.
  ["168.63.129.16", 32],
];

/** RFC 4291 §2.5.4: so far all that is public in IPv6. Outside of it lie also the addresses that carry an IPv4 one: mapped, compatible, translated (NAT64). */
const GLOBAL_IPV6: [string, number] = ["2000::", 3];

/** What is not public there: protocols (Teredo among them), examples, 6to4. As above, of https://www.iana.org/assignments/iana-ipv6-special-registry. */
const NOT_PUBLIC_IPV6: [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const notPublic = new BlockList();
for (const [network, bits] of NOT_PUBLIC_IPV4) notPublic.addSubnet(network, bits, "ipv4");
for (const [network, bits] of NOT_PUBLIC_IPV6) notPublic.addSubnet(network, bits, "ipv6");
const globalIpv6 = new BlockList();
globalIpv6.addSubnet(...GLOBAL_IPV6, "ipv6");

/** Whether `address`, an IP address as Node writes it, belongs to one machine on the internet, and to no private network, multicast group, or special purpose. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, "ipv4");
  // A zone ("fe80::1%eth0") belongs to what is linked to this machine alone.
  return !address.includes("%") && globalIpv6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
}
