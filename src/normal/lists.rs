//! The lists: parameters that track, session ids, and names of directory indexes.

/// Parameters that say how a reader came to a page, and nothing of the page.
///
/// Names are compared without regard to case, after escapes of unreserved characters are decoded; one that ends in `*` stands
/// for all that start with it. The list holds names that are one company's and hardly anyone else's. Names that pages use
/// for themselves as well (`ref`, `source`, `campaign`, `cid`, `session`, `si`, `spm`) are not in it.
///
/// Sources, which agree on most: Brave's query filter (`brave-core`, `query_filter/utils.cc`), Firefox's list for query
/// stripping, the general section of AdGuard's URL tracking filter, uBlock Origin's privacy filters, the global rules of
/// ClearURLs, and courlan. What Brave removes at some sites only is left out, but for Instagram's `igsh` and `igshid`.
///
/// Extend it with [`Normalizer::tracking`](super::Normalizer::tracking).
pub const TRACKING: &[&str] = &[
    // Campaigns: Google Analytics, Matomo and Piwik, AT Internet, ads by HubSpot.
    "utm_*",
    "ga_campaign",
    "ga_content",
    "ga_medium",
    "ga_source",
    "ga_term",
    "itm_campaign",
    "itm_content",
    "itm_medium",
    "itm_source",
    "itm_term",
    "mtm_*",
    "pk_campaign",
    "pk_cid",
    "pk_content",
    "pk_keyword",
    "pk_kwd",
    "pk_medium",
    "pk_source",
    "at_recipient_id",
    "at_recipient_list",
    "xtor",
    "hsa_*",
    // Clicks on advertisements and posts: Google, Microsoft, Meta, X, TikTok, LinkedIn, Pinterest, Yandex and others.
    "_ga",
    "_gl",
    "dclid",
    "gad_campaignid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "srsltid",
    "wbraid",
    "msclkid",
    "fb_action_ids",
    "fb_action_types",
    "fb_comment_id",
    "fb_ref",
    "fb_source",
    "fbclid",
    "igsh",
    "igshid",
    "__twitter_impression",
    "twclid",
    "ttclid",
    "li_fat_id",
    "epik",
    "_openstat",
    "yclid",
    "ymclid",
    "ysclid",
    "irclickid",
    "rb_clickid",
    "s_cid",
    "s_kwcid",
    "unicorn_click_id",
    "wickedid",
    // Readers of mail: Mailchimp, HubSpot, Marketo, Olytics, Vero, Drip, MailerLite, Omeda and others.
    "mc_cid",
    "mc_eid",
    "__hsfp",
    "__hssc",
    "__hstc",
    "_hsenc",
    "_hsmi",
    "hsctatracking",
    "mkt_tok",
    "oly_anon_id",
    "oly_enc_id",
    "vero_conv",
    "vero_id",
    "__s",
    "ml_subscriber",
    "ml_subscriber_hash",
    "oft_c",
    "oft_ck",
    "oft_d",
    "oft_id",
    "oft_ids",
    "oft_k",
    "oft_lk",
    "oft_sk",
    "_bhlid",
    "_kx",
    "bbeml",
    "bsft_clkid",
    "bsft_uid",
    "et_rid",
    "ss_email_id",
    "vgo_ee",
    // What apps and consent pages hand over: Branch, Yahoo.
    "_branch_match_id",
    "_branch_referrer",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
];

/// Parameters that hold the id of a session, in a query or behind `;` in a path. Compared as [`TRACKING`] is.
///
/// Sources: the Internet Archive's canonicalizer, which also looks at the values (`jsessionid`, `phpsessid`, `sid`,
/// `aspsessionid…`, `cfid` with `cftoken`); the session cookies' names of Java servlets, PHP, ASP, ColdFusion, osCommerce and
/// Zen Cart.
pub const SESSION: &[&str] = &[
    "jsessionid",
    "phpsessid",
    "aspsessionid*",
    "sid",
    "sessid",
    "sessionid",
    "session_id",
    "cfid",
    "cftoken",
    "oscsid",
    "zenid",
];

/// Last segments that servers answer a directory with. Compared without regard to case, as the server that names them
/// `Default.aspx` does.
pub const INDEX: &[&str] = &[
    "index.html",
    "index.htm",
    "index.shtml",
    "index.xhtml",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "index.cgi",
    "index.cfm",
    "default.html",
    "default.htm",
    "default.asp",
    "default.aspx",
];
