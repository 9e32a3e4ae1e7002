//! The names of tracking parameters, session ids and directory indexes.

/// The names of tracking parameters. Such a parameter says how a person came to a page, and nothing about the page.
///
/// Upper and lower case of a-z do not differ, and escapes of unreserved characters are decoded before names are compared. A `*` in
/// an entry is for any text, also for none: `utm_*` for all names that start with `utm_`. The list has names that one company uses
/// and hardly any other. It does not have names that pages also use for themselves (`ref`, `source`, `campaign`, `cid`, `session`, `si`, `spm`).
///
/// Sources, which agree on most: Brave's query filter (`brave-core`, `query_filter/utils.cc`; of names that it removes only at some
/// sites, just `igsh` and `igshid`), Firefox's list for query stripping, the general section of AdGuard's URL tracking filter,
/// uBlock Origin's privacy filters, the global rules of ClearURLs, and courlan.
///
/// [`Normalizer::drop_param`](crate::crawl::Normalizer::drop_param) adds a name, and [`Normalizer::tracking`](crate::crawl::Normalizer::tracking)
/// takes another list.
#[rustfmt::skip]
pub const TRACKING: &[&str] = &[
    // Campaigns: Google Analytics, Matomo and Piwik, AT Internet, ads by HubSpot.
    "utm_*", "ga_campaign", "ga_content", "ga_medium", "ga_source", "ga_term",
    "itm_campaign", "itm_content", "itm_medium", "itm_source", "itm_term",
    "mtm_*", "pk_campaign", "pk_cid", "pk_content", "pk_keyword", "pk_kwd", "pk_medium", "pk_source",
    "at_recipient_id", "at_recipient_list", "xtor",
    "hsa_*",
    // Clicks on advertisements and posts: Google, Microsoft, Meta, X, TikTok, LinkedIn, Pinterest, Yandex and others.
    "_ga", "_gl", "dclid", "gad_campaignid", "gad_source", "gbraid", "gclid", "gclsrc", "srsltid", "wbraid",
    "msclkid",
    "fb_action_ids", "fb_action_types", "fb_comment_id", "fb_ref", "fb_source", "fbclid", "igsh", "igshid",
    "__twitter_impression", "twclid",
    "ttclid",
    "li_fat_id",
    "epik",
    "_openstat", "yclid", "ymclid", "ysclid",
    "irclickid", "rb_clickid", "s_cid", "s_kwcid", "unicorn_click_id", "wickedid",
    // Readers of mail: Mailchimp, HubSpot, Marketo, Olytics, Vero, Drip, MailerLite, Omeda and others.
    "mc_cid", "mc_eid",
    "__hsfp", "__hssc", "__hstc", "_hsenc", "_hsmi", "hsctatracking",
    "mkt_tok",
    "oly_anon_id", "oly_enc_id",
    "vero_conv", "vero_id",
    "__s",
    "ml_subscriber", "ml_subscriber_hash",
    "oft_c", "oft_ck", "oft_d", "oft_id", "oft_ids", "oft_k", "oft_lk", "oft_sk",
    "_bhlid", "_kx", "bbeml", "bsft_clkid", "bsft_uid", "et_rid", "ss_email_id", "vgo_ee",
    // Apps and consent pages: Branch, Yahoo.
    "_branch_match_id", "_branch_referrer",
    "guccounter", "guce_referrer", "guce_referrer_sig",
];

/// The names of parameters with the id of a session, in a query or after `;` in a path. They are compared as in [`TRACKING`].
///
/// Sources: the Internet Archive's canonicalizer, which also looks at the values (`jsessionid`, `phpsessid`, `sid`,
/// `aspsessionid…`, `cfid` with `cftoken`); the session cookies' names of Java servlets, PHP, ASP, ColdFusion, osCommerce and
/// Zen Cart.
#[rustfmt::skip]
pub const SESSION: &[&str] = &[
    "jsessionid", "phpsessid", "aspsessionid*", "sid", "sessid", "sessionid", "session_id",
    "cfid", "cftoken", "oscsid", "zenid",
];

/// The names of directory indexes: files that servers send for a directory. Upper and lower case do not differ, since servers
/// that use `Default.aspx` ignore case.
#[rustfmt::skip]
pub const INDEX: &[&str] = &[
    "index.html", "index.htm", "index.shtml", "index.xhtml", "index.php", "index.asp", "index.aspx", "index.jsp",
    "index.cgi", "index.cfm",
    "default.html", "default.htm", "default.asp", "default.aspx",
];
