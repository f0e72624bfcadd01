// X.509 by OpenSSL.
#include "base/platform/crypto/certificate.hpp"

#include <ctime>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace svc::crypto {
namespace {

constexpr std::size_t longest_chain = 8;
constexpr int at_least_112_bits = 2;  // OpenSSL's security level: RSA of 2048 bits, no SHA-1

using OneCertificate = std::unique_ptr<X509, decltype(&X509_free)>;

Error no_signer(std::string why) { return Error(errc::upstream_error).because("certificate: " + std::move(why)); }

std::vector<OneCertificate> certificates_in(std::string_view pem) {
    std::vector<OneCertificate> found;
    const std::unique_ptr<BIO, decltype(&BIO_free)> in{BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())),
                                                       &BIO_free};
    while (in && found.size() < longest_chain) {
        OneCertificate one{PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr), &X509_free};
        if (!one)
            break;
        found.push_back(std::move(one));
    }
    ERR_clear_error();  // the end of the text counts as an error
    return found;
}

std::string lower_case(const ASN1_STRING* text) {
    std::string out(reinterpret_cast<const char*>(ASN1_STRING_get0_data(text)),
                    static_cast<std::size_t>(ASN1_STRING_length(text)));
    for (char& c : out)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return out;
}

// The alternative names for hosts; without them, the common names of the subject.
std::vector<std::string> names_of(const X509* certificate) {
    std::vector<std::string> names;
    const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> alternatives{
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)),
        &GENERAL_NAMES_free};
    for (int i = 0; alternatives && i < sk_GENERAL_NAME_num(alternatives.get()); ++i)
        if (const GENERAL_NAME* one = sk_GENERAL_NAME_value(alternatives.get(), i); one->type == GEN_DNS)
            names.push_back(lower_case(one->d.dNSName));
    if (!names.empty())
        return names;
    const X509_NAME* subject = X509_get_subject_name(certificate);
    for (int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1); at >= 0;
         at = X509_NAME_get_index_by_NID(subject, NID_commonName, at))
        names.push_back(lower_case(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
    return names;
}

// Why no valid chain leads to a root; empty when one does.
std::string fault_of_chain(const std::vector<OneCertificate>& file, const std::string& roots, Instant now) {
    const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store{X509_STORE_new(), &X509_STORE_free};
    const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> check{X509_STORE_CTX_new(),
                                                                                &X509_STORE_CTX_free};
    const auto free_stack = [](STACK_OF(X509) * stack) { sk_X509_free(stack); };
    const std::unique_ptr<STACK_OF(X509), decltype(free_stack)> others{sk_X509_new_null(), free_stack};
    if (!store || !check || !others)
        throw std::bad_alloc();
    for (std::size_t i = 1; i < file.size(); ++i)
        sk_X509_push(others.get(), file[i].get());
    const bool has_roots = roots.empty() ? X509_STORE_set_default_paths(store.get()) == 1
                                         : X509_STORE_load_file(store.get(), roots.c_str()) == 1;
    if (!has_roots || X509_STORE_CTX_init(check.get(), store.get(), file.front().get(), others.get()) != 1)
        return "the trusted roots cannot be read";
    X509_VERIFY_PARAM* rules = X509_STORE_CTX_get0_param(check.get());
    X509_VERIFY_PARAM_set_time(rules, static_cast<std::time_t>(now.seconds()));
    X509_VERIFY_PARAM_set_auth_level(rules, at_least_112_bits);
    if (X509_verify_cert(check.get()) == 1)
        return {};
    return X509_verify_cert_error_string(X509_STORE_CTX_get_error(check.get()));
}

}  // namespace

Result<Signer> Signer::from_pem(std::string_view pem, const std::string& roots, Instant now) {
    const auto file = pem.size() < 1U << 20U ? certificates_in(pem) : std::vector<OneCertificate>();
    if (file.empty())
        return no_signer("there is none");
    const std::string fault = fault_of_chain(file, roots, now);
    ERR_clear_error();
    if (!fault.empty())
        return no_signer(fault);
    Signer signer;
    signer.key_ = {X509_get_pubkey(file.front().get()), &EVP_PKEY_free};
    if (!signer.key_ || EVP_PKEY_get_base_id(signer.key_.get()) != EVP_PKEY_RSA ||
        EVP_PKEY_get_bits(signer.key_.get()) < 2048)
        return no_signer("its key is no RSA key of 2048 bits at least");
    std::tm ends{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(file.front().get()), &ends) != 1)
        return no_signer("it has no end");
    signer.not_after_ = Instant::from_micros(static_cast<std::int64_t>(::timegm(&ends)) * 1'000'000);
    signer.names_ = names_of(file.front().get());
    return signer;
}

bool Signer::is_of(std::string_view domain) const {
    for (const std::string_view name : names_) {
        const bool is_below =
            name.ends_with(domain) && name.size() > domain.size() && name[name.size() - domain.size() - 1] == '.';
        if ((name != domain && !is_below) ||
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.*") != name.npos)
            return false;
    }
    return !names_.empty();
}

bool Signer::signed_sha256(std::string_view message, std::string_view signature) const {
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> check{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
    if (!check)
        throw std::bad_alloc();
    const bool is_good =
        EVP_DigestVerifyInit(check.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1 &&
        EVP_DigestVerify(check.get(), reinterpret_cast<const unsigned char*>(signature.data()), signature.size(),
                         reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
    ERR_clear_error();  // this thread's, which others' calls would find
    return is_good;
}

}  // namespace svc::crypto
