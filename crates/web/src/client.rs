//! Who a request comes from. A client is an address: nothing else that it sends could not be made up. On loopback everybody has the same
//! one, so there the bounds rest on what is done with a place, not on whose it is.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use crate::config::Limits;

/// An address; of IPv6 the first 64 bits, since one machine has all the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Client(IpAddr);

tokio::task_local! {
    static CURRENT: Client;
}

impl Client {
    pub(crate) fn of(peer: SocketAddr) -> Client {
        Client(match peer.ip().to_canonical() {
            IpAddr::V6(address) if !address.is_loopback() => {
                let network = u128::from(address) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }

    /// How many of `all` it may hold.
    pub(crate) fn share(self, limits: &Limits, all: usize) -> usize {
        let parts = if self.0.is_loopback() { limits.loopback_share } else { limits.address_share };
        (all / parts.max(1)).max(1)
    }

    /// The client whose request is being answered; the machine itself where there is none.
    pub(crate) fn current() -> Client {
        CURRENT.try_with(|client| *client).unwrap_or(Client(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }

    /// Answers a request of this client.
    pub(crate) async fn answer<T>(self, answer: impl Future<Output = T>) -> T {
        CURRENT.scope(self, answer).await
    }

    /// Does a part of that answer on another thread.
    pub(crate) fn work<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::of(SocketAddr::new(address.parse().unwrap(), 1))
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff::7"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
    }

    #[test]
    fn only_loopback_may_have_everything() {
        let limits = Limits::default();
        assert_eq!(client("127.0.0.1").share(&limits, 640), 640);
        assert_eq!(client("::1").share(&limits, 640), 640);
        assert_eq!(client("192.0.2.1").share(&limits, 640), 160);
        assert_eq!(client("192.0.2.1").share(&limits, 2), 1, "a place is everybody's due");
    }
}
